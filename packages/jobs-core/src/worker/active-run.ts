import type { JobsError } from '../errors/jobs-error.ts'
import { LeaseLostError, QueueError } from '../errors/queue-error.ts'
import { TimeoutError } from '../errors/transient-error.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'

/** Why a run's signal was aborted. */
export type AbortCause = 'timeout' | 'stopping' | 'cancelled' | 'lease_lost'

/** A run whose handler has started. */
export interface ActiveRun {
  readonly job: ClaimedJob
  /** `performance.now()` when it started. */
  readonly startedAt: number
  readonly signal: AbortSignal
  /** Why the signal was aborted, once it was. */
  readonly cause: AbortCause | undefined
  /** Aborts the signal; only the first call counts. */
  abort(cause: AbortCause): void
  /** Ends the timeout's timer. */
  close(): void
}

/** Opens a run: from now on its timeout counts. */
export function openRun(job: ClaimedJob, timeoutMs: number): ActiveRun {
  const controller = new AbortController()
  let cause: AbortCause | undefined
  const abort = (why: AbortCause) => {
    if (cause !== undefined) return
    cause = why
    controller.abort(abortReason(why, timeoutMs))
  }
  const timer = setTimeout(abort, timeoutMs, 'timeout' satisfies AbortCause)
  return {
    job,
    startedAt: performance.now(),
    signal: controller.signal,
    get cause() {
      return cause
    },
    abort,
    close: () => clearTimeout(timer),
  }
}

/** What handlers find in `signal.reason`. */
function abortReason(cause: AbortCause, timeoutMs: number): JobsError {
  switch (cause) {
    case 'timeout':
      return new TimeoutError(
        'JOB_TIMEOUT',
        `The job took longer than its ${timeoutMs} ms. Give its definition a longer timeoutMs, or the work smaller parts.`,
      )
    case 'lease_lost':
      return new LeaseLostError('LEASE_LOST', 'This worker lost its lease; the job belongs to another worker now.')
    case 'stopping':
      return new QueueError('WORKER_STOPPING', 'The worker stops; the job is handed back without charging an attempt.')
    case 'cancelled':
      return new QueueError('CANCELLED', 'Somebody cancelled the job.')
  }
}
