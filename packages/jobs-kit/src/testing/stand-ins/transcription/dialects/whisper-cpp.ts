import { type Answer, jsonAnswer, textAnswer } from '../../server/answer.ts'
import { splitSegments } from '../formats/split-segments.ts'
import { type SubtitleManners, writeSrt, writeVtt } from '../formats/subtitles.ts'
import type { VerboseSegment, VerboseTranscription } from '../transcription.ts'
import { type DialectContext, field } from './dialect.ts'
import { languageName } from './languages.ts'

const manners: SubtitleManners = { toMs: (seconds) => Math.round(seconds * 100) * 10, text: (text) => text }

/** The server of whisper.cpp, started with `--convert`. */
export async function answerWhisperCpp(context: DialectContext): Promise<Answer> {
  const { request } = context
  if (request.method === 'GET' && request.path === '/health') return jsonAnswer(200, { status: 'ok' })
  if (request.method !== 'POST' || request.path !== '/inference') return failure(404, request.path)
  const file = request.form?.files.get('file')
  if (file === undefined) return failure(400)
  // It alone gives up when the client leaves; 499 is what it would say to nobody.
  const recognition = await context.recognizeUntilLeft(file)
  if (recognition.outcome === 'undecodable') return failure(500)
  if (recognition.outcome === 'empty') return failure(400)
  const maxLength = Number(field(request, 'max_len') ?? 0) || 60
  return write(context, { ...recognition.transcription, segments: splitSegments(recognition.transcription.segments, maxLength) })
}

function write({ request }: DialectContext, { segments, language, duration }: VerboseTranscription): Answer {
  const format = field(request, 'response_format') ?? 'json'
  const text = segments.map((segment) => `${segment.text}\n`).join('')
  if (format === 'text') return textAnswer(200, text, 'text/html; charset=utf-8')
  if (format === 'srt') return textAnswer(200, writeSrt(segments, manners), 'application/x-subrip')
  if (format === 'vtt') return textAnswer(200, writeVtt(segments, manners), 'text/vtt')
  if (format !== 'verbose_json') return jsonAnswer(200, { text })
  const timed = field(request, 'no_timestamps') !== 'true'
  const name = languageName(language)
  return jsonAnswer(200, {
    task: 'transcribe',
    language: name,
    duration,
    text,
    segments: segments.map((segment, id) => verbose(segment, id, timed)),
    detected_language: name,
    detected_language_probability: 0.99,
  })
}

function verbose(
  { start, end, text, words = [], avg_logprob = -0.3, no_speech_prob = 0 }: VerboseSegment,
  id: number,
  timed: boolean,
): object {
  return {
    id,
    text,
    ...(timed && { start, end }),
    tokens: [],
    words: words.map((word) => ({
      word: ` ${word.word}`,
      ...(timed && { start: word.start, end: word.end }),
      t_dtw: -1,
      probability: word.probability,
    })),
    temperature: 0,
    avg_logprob,
    no_speech_prob,
  }
}

/** Its error handler throws away what the code meant to say: 400 and 500 keep their status, everything else becomes a 404. */
function failure(status: 400 | 404 | 500, path = ''): Answer {
  if (status === 400) return textAnswer(400, 'Invalid request', 'text/plain')
  if (status === 404) return textAnswer(404, `File Not Found (${path})`, 'text/plain')
  return textAnswer(500, '{"error":"FFmpeg conversion failed."}', 'application/json')
}
