import { JobsError } from './jobs-error.ts'

/** What a {@link TransientError} may carry beside its code and message. */
export interface TransientErrorOptions {
  cause?: unknown
  /** Earliest time of the next attempt, in milliseconds from now. The backoff wins when it is longer; at most 24 h. */
  retryAfterMs?: number | undefined
}

/** Trying again may help. Anything a handler throws that is not an error of this project counts as transient too. */
export class TransientError extends JobsError {
  override readonly name: string = 'TransientError'
  readonly retryAfterMs: number | undefined

  constructor(code: string, message: string, options: TransientErrorOptions = {}) {
    super('transient', code, message, options)
    this.retryAfterMs = options.retryAfterMs
  }
}

/** A job or a call took longer than it may. */
export class TimeoutError extends TransientError {
  override readonly name: string = 'TimeoutError'
}
