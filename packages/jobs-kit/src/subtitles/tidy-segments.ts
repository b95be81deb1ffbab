import { cleanText } from './clean-text.ts'
import type { Draft } from './draft.ts'
import { flagQuality } from './flag-quality.ts'
import { flagRepeats } from './flag-repeats.ts'
import { flagSilence } from './flag-silence.ts'
import { mendTimes } from './mend-times.ts'
import type { RoughSegment, Segment, Silence } from './segment.ts'
import { separate } from './separate.ts'
import { storable } from './storable.ts'

/** What is known about the recording. */
export interface TidyOptions {
  /** Its length. Default: not known. */
  readonly durationMs?: number | undefined
  /** Where it is silent. Default: not known; then nothing is called `silence` or `boilerplate`. */
  readonly silences?: readonly Silence[] | undefined
}

/**
 * The validating pass: segments in order, none backward, none reaching into the next, texts clean. Only segments without any text are left
 * out; whatever else is mended or looks wrong says so in `suspect`, and keeps in `raw` what it was. Of its own result it changes nothing.
 */
export function tidySegments(rough: readonly RoughSegment[], { durationMs, silences = [] }: TidyOptions = {}): Segment[] {
  const drafts = rough.map(toDraft).filter(({ text }) => text !== '')
  mendTimes(drafts, durationMs)
  drafts.sort((a, b) => a.startMs - b.startMs)
  separate(drafts)
  flagRepeats(drafts)
  flagQuality(drafts)
  flagSilence(drafts, silences)
  return drafts.map(toSegment)
}

function toDraft(rough: RoughSegment): Draft {
  const { text, odd } = cleanText(rough.text)
  const suspect = new Set(rough.suspect)
  if (odd) suspect.add('odd_characters')
  return { startMs: rough.startMs, endMs: rough.endMs, text, rough, suspect }
}

function toSegment({ startMs, endMs, text, rough, suspect }: Draft): Segment {
  if (startMs === endMs) suspect.add('zero_length')
  const mended = startMs !== rough.startMs || endMs !== rough.endMs || cleanText(rough.text).changed
  return {
    startMs,
    endMs,
    text,
    speaker: rough.speaker ? cleanText(rough.speaker).text.replaceAll('\n', ' ') || null : null,
    avgLogprob: finite(rough.avgLogprob),
    noSpeechProb: finite(rough.noSpeechProb),
    compressionRatio: finite(rough.compressionRatio),
    language: rough.language ?? null,
    suspect: [...suspect].toSorted(),
    raw: mended
      ? { startMs: finite(rough.startMs), endMs: finite(rough.endMs), text: storable(rough.text), ...rough.raw }
      : (rough.raw ?? null),
  }
}

function finite(value: number | null | undefined): number | null {
  return Number.isFinite(value) ? (value ?? null) : null
}
