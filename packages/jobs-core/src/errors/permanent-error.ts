import { JobsError } from './jobs-error.ts'

/** Trying again cannot help: the job goes to `error` at once, whatever attempts are left. */
export class PermanentError extends JobsError {
  override readonly name: string = 'PermanentError'

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super('permanent', code, message, options)
  }
}

/** A payload, or an option beside it, that the definition or the table cannot accept. Thrown before any SQL is sent. */
export class InvalidPayloadError extends PermanentError {
  override readonly name: string = 'InvalidPayloadError'
}
