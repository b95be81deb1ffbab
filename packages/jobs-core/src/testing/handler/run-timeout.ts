import { TimeoutError } from '../../errors/transient-error.ts'
import { ABORT_GRACE_MS } from '../../worker/active-run.ts'

/** A run's timeout, as a worker keeps it. */
export interface RunTimeout {
  readonly signal: AbortSignal
  /** Rejects some time after the signal was aborted: nobody waits for the handler any more. */
  readonly givenUp: Promise<never>
  /** Ends the timers. */
  close(): void
}

export function startTimeout(timeoutMs: number): RunTimeout {
  const controller = new AbortController()
  const givenUp = Promise.withResolvers<never>()
  // Whoever ended in time does not wait for it.
  givenUp.promise.catch(() => {})
  let grace: NodeJS.Timeout | undefined
  const timer = setTimeout(() => {
    const reason = new TimeoutError('JOB_TIMEOUT', `The job took longer than its ${timeoutMs} ms.`)
    controller.abort(reason)
    grace = setTimeout(givenUp.reject, ABORT_GRACE_MS, reason)
  }, timeoutMs)
  return {
    signal: controller.signal,
    givenUp: givenUp.promise,
    close() {
      clearTimeout(timer)
      clearTimeout(grace)
    },
  }
}
