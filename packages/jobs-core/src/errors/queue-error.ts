import { JobsError } from './jobs-error.ts'

/** The queue refuses what was asked of it. */
export class QueueError extends JobsError {
  override readonly name: string = 'QueueError'

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super('queue', code, message, options)
  }
}

/** No such job, or none the caller may see: the two look alike on purpose. */
export class JobNotFoundError extends QueueError {
  override readonly name: string = 'JobNotFoundError'
}

/** The job is in a state that does not allow the action. */
export class JobStateError extends QueueError {
  override readonly name: string = 'JobStateError'
}

/** This worker may no longer write about the run: its lease ran out and the job belongs to somebody else now. */
export class LeaseLostError extends QueueError {
  override readonly name: string = 'LeaseLostError'
}
