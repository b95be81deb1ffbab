import { type Answer, jsonAnswer, textAnswer } from '../../server/answer.ts'
import { type SubtitleManners, writeSrt, writeVtt } from '../formats/subtitles.ts'
import { allWords, verboseSegment, wholeText } from '../formats/verbose-json.ts'
import type { VerboseTranscription } from '../transcription.ts'
import { bearer, type DialectContext, field } from './dialect.ts'
import { isWhisperLanguage, languageName } from './languages.ts'

const maxFileBytes = 26_214_400
const manners: SubtitleManners = { toMs: (seconds) => Math.round(seconds * 1_000), text: (text) => text.trim() }

/** OpenAI's transcriptions: `whisper-1`, `gpt-4o-transcribe` and its like. */
export async function answerOpenAi(context: DialectContext): Promise<Answer> {
  const { request, apiKey } = context
  if (bearer(request) === undefined) return failure(401, "You didn't provide an API key.", null)
  if (apiKey !== undefined && bearer(request) !== apiKey) return failure(401, 'Incorrect API key provided.', null, 'invalid_api_key')
  if (request.method !== 'POST' || request.path !== '/v1/audio/transcriptions') {
    return failure(404, `Invalid URL (${request.method} ${request.path})`, null)
  }
  const file = request.form?.files.get('file')
  if (file === undefined) return failure(400, 'you must provide a file', 'file')
  const model = field(request, 'model')
  if (model === undefined) return failure(400, 'you must provide a model parameter', 'model')
  if (!context.models.includes(model)) return failure(404, `The model '${model}' does not exist`, 'model', 'model_not_found')
  if (file.sizeBytes > maxFileBytes)
    return failure(413, `Maximum content size limit (${maxFileBytes}) exceeded (${file.sizeBytes} bytes read)`, null)
  const refused = refuseOptions(context, model)
  if (refused) return refused
  const recognition = await context.recognize(file)
  if (recognition.outcome === 'empty')
    return failure(400, 'Audio file is too short. Minimum audio length is 0.1 seconds.', 'file', 'audio_too_short')
  if (recognition.outcome === 'undecodable') {
    return failure(400, 'Invalid file format. Supported formats: flac, m4a, mp3, mp4, mpeg, mpga, oga, ogg, wav, webm', 'file')
  }
  return write(context, model, recognition.transcription)
}

function refuseOptions({ request }: DialectContext, model: string): Answer | undefined {
  const format = field(request, 'response_format') ?? 'json'
  const allowed = formatsOf(model)
  if (!allowed.includes(format)) {
    return failure(
      400,
      `response_format '${format}' is not compatible with model '${model}'. Use ${allowed.join(', ')} instead.`,
      'response_format',
      'unsupported_value',
    )
  }
  if (request.form?.fields.has('timestamp_granularities[]') && format !== 'verbose_json') {
    return failure(400, 'Timestamp granularities are only compatible with verbose_json.', 'timestamp_granularities')
  }
  const language = field(request, 'language')
  if (language !== undefined && !isWhisperLanguage(language)) {
    return failure(400, `Language '${language}' is not supported.`, 'language', 'unsupported_language')
  }
  return undefined
}

function formatsOf(model: string): string[] {
  if (model.endsWith('-diarize')) return ['json', 'text', 'diarized_json']
  return model.startsWith('gpt-4o') ? ['json'] : ['json', 'text', 'srt', 'verbose_json', 'vtt']
}

function write({ request }: DialectContext, model: string, transcription: VerboseTranscription): Answer {
  const { segments, duration } = transcription
  const text = wholeText(segments)
  if (model.endsWith('-diarize') && duration > 30 && field(request, 'chunking_strategy') === undefined) {
    return failure(400, 'chunking_strategy is required for diarization models', 'chunking_strategy')
  }
  const format = field(request, 'response_format') ?? 'json'
  if (format === 'text') return textAnswer(200, `${text}\n`)
  if (format === 'srt') return textAnswer(200, writeSrt(segments, manners))
  if (format === 'vtt') return textAnswer(200, writeVtt(segments, manners))
  const usage = { type: 'duration', seconds: Math.ceil(duration) }
  if (format === 'json') return jsonAnswer(200, { text, usage })
  if (format === 'diarized_json') return jsonAnswer(200, { task: 'transcribe', duration, text, segments: segments.map(diarized), usage })
  const granularities = request.form?.fields.get('timestamp_granularities[]') ?? ['segment']
  return jsonAnswer(200, {
    task: 'transcribe',
    language: languageName(transcription.language),
    duration,
    text,
    ...(granularities.includes('word') && { words: allWords(transcription).map(({ word, start, end }) => ({ word, start, end })) }),
    ...(granularities.includes('segment') && { segments: segments.map(verboseSegment) }),
    usage,
  })
}

function diarized({ start, end, text }: VerboseTranscription['segments'][number], id: number): object {
  return { type: 'transcript.text.segment', id: `seg_${id}`, start, end, text, speaker: 'A' }
}

function failure(status: number, message: string, param: string | null, code: string | null = null): Answer {
  return jsonAnswer(status, { error: { message, type: 'invalid_request_error', param, code } })
}
