import { type Answer, jsonAnswer, textAnswer } from '../../server/answer.ts'
import { type SubtitleManners, writeSrt, writeVtt } from '../formats/subtitles.ts'
import { verboseSegment, wholeText } from '../formats/verbose-json.ts'
import type { VerboseTranscription } from '../transcription.ts'
import type { DialectContext } from './dialect.ts'
import { isWhisperLanguage } from './languages.ts'

const manners: SubtitleManners = {
  toMs: (seconds) => Math.round(seconds * 1_000),
  text: (text) => text.trim().replaceAll('-->', '->'),
  vttHours: 'when-needed',
}

/** whisper-asr-webservice with the engine faster_whisper. */
export async function answerAsrWebservice(context: DialectContext): Promise<Answer> {
  const { request } = context
  if (request.path !== '/asr') return jsonAnswer(404, { detail: 'Not Found' })
  if (request.method !== 'POST') return jsonAnswer(405, { detail: 'Method Not Allowed' })
  if (request.formError) return jsonAnswer(400, { detail: 'There was an error parsing the body' })
  const file = request.form?.files.get('audio_file')
  if (file === undefined) {
    return jsonAnswer(422, { detail: [{ type: 'missing', loc: ['body', 'audio_file'], msg: 'Field required', input: null }] })
  }
  const language = request.query.get('language')
  if (language !== null && !isWhisperLanguage(language)) return textAnswer(500, 'Internal Server Error')
  const recognition = await context.recognize(file)
  if (recognition.outcome !== 'recognised') return textAnswer(500, 'Internal Server Error')
  const output = request.query.get('output') ?? 'txt'
  const answer = textAnswer(200, write(output, recognition.transcription))
  answer.headers['asr-engine'] = 'faster_whisper'
  answer.headers['content-disposition'] = `attachment; filename="${encodeURIComponent(file.name)}.${output}"`
  return answer
}

function write(output: string, { segments, language }: VerboseTranscription): string {
  if (output === 'srt') return writeSrt(segments, manners)
  if (output === 'vtt') return writeVtt(segments, manners)
  if (output === 'json') return JSON.stringify({ text: wholeText(segments), segments: segments.map(verboseSegment), language })
  if (output === 'tsv') {
    const line = (segment: VerboseTranscription['segments'][number]) =>
      `${manners.toMs(segment.start)}\t${manners.toMs(segment.end)}\t${segment.text.trim().replaceAll('\t', ' ')}\n`
    return `start\tend\ttext\n${segments.map(line).join('')}`
  }
  return segments.map((segment) => `${segment.text.trim()}\n`).join('')
}
