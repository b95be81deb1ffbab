/** A job of the sample did not do what it should: shown as one sentence. */
export class SampleFailedError extends Error {
  override readonly name = 'SampleFailedError'
}
