import { type Answer, jsonAnswer, textAnswer } from '../../server/answer.ts'
import { joinSegments } from '../formats/join-segments.ts'
import { type SubtitleManners, writeSrt, writeVtt } from '../formats/subtitles.ts'
import { allWords, verboseSegment, wholeText } from '../formats/verbose-json.ts'
import type { VerboseTranscription } from '../transcription.ts'
import { bearer, type DialectContext, field } from './dialect.ts'
import { isWhisperLanguage } from './languages.ts'

const path = '/v1/audio/transcriptions'
const formats = ['text', 'json', 'verbose_json', 'srt', 'vtt'] as const
const aliases: Record<string, string> = { 'whisper-1': 'Systran/faster-whisper-large-v3' }
/** Silence up to here is an empty transcript, more of it an error of the server. */
const maxSilenceS = 30
const manners: SubtitleManners = { toMs: (seconds) => seconds * 1_000, text: (text) => text, vttFromZero: true }

/** speaches 0.9, once faster-whisper-server. */
export async function answerSpeaches(context: DialectContext): Promise<Answer> {
  const { request, apiKey } = context
  if (request.method === 'GET' && request.path === '/health') return jsonAnswer(200, { message: 'OK' })
  if (apiKey !== undefined && bearer(request) !== apiKey) {
    return detail(403, bearer(request) === undefined ? 'Not authenticated' : 'Forbidden')
  }
  if (request.method === 'GET' && request.path === '/api/ps') return jsonAnswer(200, { models: context.models })
  if (request.path !== path) return detail(404, 'Not Found')
  if (request.method !== 'POST') return detail(405, 'Method Not Allowed')
  return transcribe(context)
}

async function transcribe(context: DialectContext): Promise<Answer> {
  const { request } = context
  if (request.formError) return detail(400, 'There was an error parsing the body')
  const problems = [missing(context, 'file'), missing(context, 'model'), wrongFormat(request)].filter((problem) => problem !== undefined)
  const file = request.form?.files.get('file')
  if (problems.length > 0 || file === undefined) return jsonAnswer(422, { detail: problems })
  const model = field(request, 'model') ?? ''
  if (!context.models.includes(aliases[model] ?? model)) {
    return detail(404, `Model '${model}' is not installed locally. You can download the model using \`POST /v1/models\``)
  }
  const language = field(request, 'language')
  if (language !== undefined && !isWhisperLanguage(language)) return internalError()
  const granularities = request.form?.fields.get('timestamp_granularities[]') ?? ['segment']
  if (!granularities.every((value) => value === 'word' || value === 'segment')) return internalError()

  const recognition = await context.recognize(file)
  if (recognition.outcome === 'empty') return detail(400, 'Failed to decode audio. The provided file is likely empty.')
  if (recognition.outcome === 'undecodable') return detail(415, 'Failed to decode audio. The provided file type is not supported.')
  const { transcription } = recognition
  if (transcription.segments.length === 0 && transcription.duration > maxSilenceS) return internalError()
  const joined = field(request, 'without_timestamps') !== 'false'
  return write(context, granularities, joined ? { ...transcription, segments: joinSegments(transcription.segments) } : transcription)
}

function write({ request }: DialectContext, granularities: readonly string[], transcription: VerboseTranscription): Answer {
  const { segments, language, duration } = transcription
  const format = field(request, 'response_format') ?? 'json'
  const text = wholeText(segments)
  if (field(request, 'stream') === 'true') return stream(segments.map((segment) => segment.text))
  if (format === 'text') return textAnswer(200, text)
  if (format === 'srt') return textAnswer(200, writeSrt(segments, manners))
  if (format === 'vtt') return textAnswer(200, writeVtt(segments, manners), 'text/vtt; charset=utf-8')
  if (format === 'json') return jsonAnswer(200, { text })
  const words = granularities.includes('word') ? allWords(transcription) : null
  return jsonAnswer(200, { task: 'transcribe', language, duration, text, segments: segments.map(verboseSegment), words })
}

/** Without times, and with an empty text at the end: of no use for subtitles. */
function stream(texts: readonly string[]): Answer {
  const events = [...texts.map((delta) => ({ type: 'transcript.text.delta', delta })), { type: 'transcript.text.done', text: '' }]
  return textAnswer(200, events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), 'text/event-stream; charset=utf-8')
}

function missing({ request }: DialectContext, name: 'file' | 'model'): object | undefined {
  const there = name === 'file' ? request.form?.files.has('file') : field(request, 'model') !== undefined
  return there ? undefined : { type: 'missing', loc: ['body', name], msg: 'Field required', input: null }
}

function wrongFormat(request: DialectContext['request']): object | undefined {
  const input = field(request, 'response_format') ?? 'json'
  if (formats.some((format) => format === input)) return undefined
  const expected = "'text', 'json', 'verbose_json', 'srt' or 'vtt'"
  return { type: 'enum', loc: ['body', 'response_format'], msg: `Input should be ${expected}`, input, ctx: { expected } }
}

function detail(status: number, text: string): Answer {
  return jsonAnswer(status, { detail: text })
}

function internalError(): Answer {
  return textAnswer(500, 'Internal Server Error')
}
