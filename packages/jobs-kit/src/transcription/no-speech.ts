import { isUpstreamError } from '../http/upstream-error.ts'

/**
 * Some servers fail on audio in which nobody speaks. By these words they say so; any other failure is one. speaches says the last for silence of more
 * than thirty seconds.
 */
const saysNoSpeech = /no (speech|voice|active speech)( segments?)?( was| were)? (found|detected)|no speech|no clip timestamps found/i

/** True for a refusal that means: there is nothing to hear. */
export function meansNoSpeech(error: unknown): boolean {
  if (!isUpstreamError(error) || ![400, 422, 500].includes(error.status ?? 0)) return false
  return saysNoSpeech.test(error.bodyExcerpt ?? '')
}
