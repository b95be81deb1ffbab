import { PermanentError } from '@sidelinja/jobs-core'
import { z } from 'zod'
import { parseSubtitles } from '../subtitles/parse-subtitles.ts'
import type { RoughSegment } from '../subtitles/segment.ts'

/** What a server heard. */
export interface Heard {
  readonly language: string | null
  readonly segments: readonly RoughSegment[]
}

const measure = z.number().nullish().catch(null)
const segment = z.object({
  // whisper.cpp leaves both out when it was told not to make times.
  start: z.number().finite().nullish(),
  end: z.number().finite().nullish(),
  text: z.string(),
  speaker: z.string().nullish().catch(null),
  avg_logprob: measure,
  no_speech_prob: measure,
  compression_ratio: measure,
})
const verboseJson = z.object({
  language: z.string().nullish().catch(null),
  text: z.string().nullish(),
  segments: z.array(segment).max(100_000).nullish(),
})

/**
 * What `verbose_json` says. Servers differ in what they leave out: a segment without times lasts from the one before to the end, and says that
 * this is guessed; an answer with words only is one such segment.
 * @throws PermanentError `TRANSCRIPT_INVALID`
 */
export function fromVerboseJson(answer: unknown, durationMs: number): Heard {
  const parsed = verboseJson.safeParse(answer)
  if (!parsed.success) throw invalid(parsed.error.issues[0])
  const { language, text, segments } = parsed.data
  const heard = segments ?? (text?.trim() ? [{ text }] : [])
  let from = 0
  const rough = heard.map((part): RoughSegment => {
    const startMs = toMs(part.start) ?? from
    const endMs = toMs(part.end) ?? durationMs
    from = endMs
    const isGuessed = toMs(part.start) === undefined || toMs(part.end) === undefined
    return { startMs, endMs, text: part.text, ...figures(part), ...(isGuessed && { suspect: ['no_time'] }) }
  })
  return { language: language ?? null, segments: rough }
}

/** What an SRT answer says; nothing at all means that nobody spoke. */
export function fromSrt(text: string): Heard {
  return { language: null, segments: text.trim() === '' ? [] : parseSubtitles(text).segments }
}

function figures(part: Partial<z.output<typeof segment>>): Partial<RoughSegment> {
  return {
    ...(part.speaker && { speaker: part.speaker }),
    ...(typeof part.avg_logprob === 'number' && { avgLogprob: part.avg_logprob }),
    ...(typeof part.no_speech_prob === 'number' && { noSpeechProb: part.no_speech_prob }),
    ...(typeof part.compression_ratio === 'number' && { compressionRatio: part.compression_ratio }),
  }
}

function toMs(seconds: number | null | undefined): number | undefined {
  return typeof seconds === 'number' ? Math.round(seconds * 1_000) : undefined
}

function invalid(issue: z.core.$ZodIssue | undefined): PermanentError {
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : ''
  return new PermanentError(
    'TRANSCRIPT_INVALID',
    `The transcription server answered with JSON that is no verbose_json${where}: ${issue?.message ?? 'unknown'}. Check its dialect, or ask it for srt.`,
  )
}
