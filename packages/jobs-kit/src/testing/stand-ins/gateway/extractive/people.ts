import type { Focus } from './focus.ts'
import { round } from './focus.ts'
import type { Source } from './source.ts'

/** People whom the text names, with the candidate of that name where there is one. */
export function namesOfAnswer({ names, candidates }: Source): Focus[] {
  return names.map(({ name, count, sentence }) => ({
    n: sentence.n,
    sentence,
    name,
    candidate: candidates.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase()),
    confidence: round(0.4 + 0.1 * count),
  }))
}
