import { JobsError } from './jobs-error.ts'

/**
 * Thrown by a handler that wants the job to come back later without charging an attempt: a service is down, a resource is busy.
 * `delayMs` is between one second and 24 hours (clamped). A job that has been snoozed 10,000 times fails instead.
 */
export class SnoozeError extends JobsError {
  override readonly name: string = 'SnoozeError'
  readonly delayMs: number

  constructor(delayMs: number, reason: string, options?: { cause?: unknown }) {
    super('snooze', 'SNOOZED', reason, options)
    this.delayMs = delayMs
  }
}
