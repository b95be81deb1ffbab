import type { JsonObject } from '../json-object.ts'

/**
 * Why a segment should not be believed unseen. Nothing is thrown away for it: what was mended stands in `raw`.
 *
 * Times: `no_time` had none · `odd_time` written in an odd way, such as `00:59,1000` · `out_of_range` before 0, or beyond 596 hours ·
 * `backward` ended before it began · `zero_length` takes no time · `unordered` stood after a later one · `overlap` reached into the next
 * one · `past_end` after the end of the recording · `stray_time` holds what looks like the times of another cue.
 *
 * Text: `odd_characters` control characters or bytes that could not be read · `no_words` signs only, such as a single dot · `repeated` one of
 * three or more in a row with the same words · `compression` says the same again and again · `no_speech` the recogniser doubts that anybody
 * spoke · `silence` where the recording is silent · `boilerplate` a phrase that recognisers invent in silence, such as credits.
 */
export type SuspectReason =
  | 'no_time'
  | 'odd_time'
  | 'out_of_range'
  | 'backward'
  | 'zero_length'
  | 'unordered'
  | 'overlap'
  | 'past_end'
  | 'stray_time'
  | 'odd_characters'
  | 'no_words'
  | 'repeated'
  | 'compression'
  | 'no_speech'
  | 'silence'
  | 'boilerplate'

/** A stretch of speech and what was said in it. */
export interface Segment {
  /** Whole milliseconds from the beginning of the recording, at least 0. */
  readonly startMs: number
  /** Never before `startMs`, never after the next segment's `startMs`. */
  readonly endMs: number
  /** Never empty; lines are separated by `\n`, without blanks around them. Plain text: escape it where it is shown. */
  readonly text: string
  readonly speaker: string | null
  /** What the recogniser says about its work: mean log-probability of the words, … */
  readonly avgLogprob: number | null
  /** … the probability that nobody spoke, 0 … 1, … */
  readonly noSpeechProb: number | null
  /** … and how well the text can be compressed; above 2.4 it says the same again and again. */
  readonly compressionRatio: number | null
  /** Language tag; null when it is not known. */
  readonly language: string | null
  /** Each once, sorted; empty: nothing found. */
  readonly suspect: readonly SuspectReason[]
  /** `startMs`, `endMs` and `text` as they came, where something was mended, and what the source adds to that. */
  readonly raw: JsonObject | null
}

/** A segment as a parser or a recogniser gives it: times may be missing (NaN), backward or unordered, texts empty. */
export type RoughSegment = Pick<Segment, 'startMs' | 'endMs' | 'text'> & Partial<Omit<Segment, 'startMs' | 'endMs' | 'text'>>

/** A stretch of time in which the recording is silent. */
export interface Silence {
  readonly startMs: number
  readonly endMs: number
}
