import type { JobsError } from '../errors/jobs-error.ts'
import { LeaseLostError, QueueError } from '../errors/queue-error.ts'
import { TimeoutError } from '../errors/transient-error.ts'
import type { Ending } from '../policy/outcome.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'

/** How long a handler may take to obey its signal before its slot is given to another job. */
export const ABORT_GRACE_MS = 2_000

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
  /** Calls `fn` some time after the abort, for a handler or a write that does not obey: nobody waits for it any more. */
  whenGivenUp(fn: () => void): void
  /** Ends the timers. */
  close(): void
}

/** Opens a run: from now on its timeout counts. What few handlers ask for is made when it is asked for: most runs are short. */
export function openRun(job: ClaimedJob, timeoutMs: number): ActiveRun {
  let controller: AbortController | undefined
  let cause: AbortCause | undefined
  let grace: NodeJS.Timeout | undefined
  let isGivenUp = false
  const waiting: (() => void)[] = []
  const giveUp = () => {
    isGivenUp = true
    for (const fn of waiting) fn()
  }
  const abort = (why: AbortCause) => {
    if (cause !== undefined) return
    cause = why
    controller?.abort(abortReason(why, timeoutMs))
    grace = setTimeout(giveUp, why === 'lease_lost' ? 0 : ABORT_GRACE_MS)
  }
  const control = () => {
    controller = new AbortController()
    if (cause !== undefined) controller.abort(abortReason(cause, timeoutMs))
    return controller
  }
  const timer = setTimeout(abort, timeoutMs, 'timeout' satisfies AbortCause)
  return {
    job,
    startedAt: performance.now(),
    get signal() {
      return (controller ?? control()).signal
    },
    get cause() {
      return cause
    },
    abort,
    whenGivenUp(fn) {
      if (isGivenUp) fn()
      else waiting.push(fn)
    },
    close() {
      clearTimeout(timer)
      clearTimeout(grace)
    },
  }
}

/** What an abort means for the run. */
export function endingOfAbort(run: ActiveRun): Ending | { kind: 'lease_lost' } {
  switch (run.cause) {
    case 'timeout':
      return { kind: 'timeout', error: run.signal.reason }
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'lease_lost':
      return { kind: 'lease_lost' }
    default:
      return { kind: 'interrupted' }
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
