import type { AudioTools, RootedFile } from '@sidelinja/jobs-kit'
import { PIECE_LIMITS, type PieceLimits, type Span } from './plan-pieces.ts'

/** How audio is listened to before anything is sent. */
export interface ListeningOptions {
  readonly limits: PieceLimits
  /** False: silence is sent too, and the server has to say that nobody speaks. */
  readonly skipSilence: boolean
}

export const STANDARD: ListeningOptions = { limits: PIECE_LIMITS, skipSilence: true }

/** Fainter than any speech that a recogniser could make words of. */
const silenceDb = -50
const minSilenceMs = 500
/** Speech that loud at its loudest falls so far between two words. */
const pauseBelowPeakDb = 30
const minPauseMs = 300

/** What a first look, or listen, tells. */
export type Survey = {
  decodedMs: number
  cutShort: boolean
  silences: Stored[]
  pauses: Stored[]
}

/** A span as a step stores it: a type, since JSON takes no interface. */
type Stored = { startMs: number; endMs: number }

/**
 * Decodes the whole file and finds where it is silent; and, where it must be cut, where speech pauses: what counts as a pause is measured from the
 * recording's own loudness, for a noisy one is never silent.
 */
export async function survey(
  audio: AudioTools,
  file: RootedFile,
  { limits, skipSilence }: ListeningOptions,
  signal: AbortSignal,
): Promise<Survey> {
  const { decodedMs, cutShort, silences, maxVolumeDb } = await audio.measure(file, { noiseDb: silenceDb, minSilenceMs }, signal)
  const noiseDb = Math.max(silenceDb, maxVolumeDb - pauseBelowPeakDb)
  const pauses = decodedMs > limits.maxMs ? (await audio.measure(file, { noiseDb, minSilenceMs: minPauseMs }, signal)).silences : []
  return { decodedMs, cutShort, silences: skipSilence ? silences.map(copy) : [], pauses: pauses.map(copy) }
}

function copy({ startMs, endMs }: Span): Stored {
  return { startMs, endMs }
}
