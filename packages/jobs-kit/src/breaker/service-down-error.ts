import { JobsError } from '@sidelinja/jobs-core'

/**
 * The breaker of a service is open. The queue takes it as a snooze: the job comes back when the service is to be tried again, and no attempt is
 * charged. Handlers let it through.
 */
export class ServiceDownError extends JobsError {
  override readonly name: string = 'ServiceDownError'
  readonly service: string
  /** After how long the job comes back, in milliseconds. */
  readonly delayMs: number

  constructor(service: string, delayMs: number, message: string, options?: { cause?: unknown }) {
    super('snooze', 'SERVICE_DOWN', message, options)
    this.service = service
    this.delayMs = delayMs
  }
}
