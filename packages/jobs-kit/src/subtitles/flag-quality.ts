import type { Draft } from './draft.ts'

/** The limits of whisper itself, where it would try again. */
const MOST_COMPRESSION = 2.4
const LEAST_LOGPROB = -1
const MOST_NO_SPEECH = 0.6

/** Flags what the recogniser itself does not believe. */
export function flagQuality(drafts: readonly Draft[]): void {
  for (const { rough, suspect } of drafts) {
    const { avgLogprob, noSpeechProb, compressionRatio } = rough
    if ((compressionRatio ?? 0) > MOST_COMPRESSION) suspect.add('compression')
    if ((avgLogprob ?? 0) < LEAST_LOGPROB && (noSpeechProb ?? 0) > MOST_NO_SPEECH) suspect.add('no_speech')
  }
}
