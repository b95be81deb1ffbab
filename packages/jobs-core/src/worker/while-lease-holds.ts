import { isConnectionLoss, isContention } from '../database/sql-state.ts'
import { describeError } from '../errors/describe-error.ts'
import { LeaseLostError } from '../errors/queue-error.ts'
import type { Runtime } from './runtime.ts'

const firstDelayMs = 50
const maxDelayMs = 1_000

/**
 * Tries a statement about this worker's runs until it gets through or the lease is lost: a database that is away, or somebody
 * else's lock, is no fault of the job's. Other errors are thrown at once.
 * @param jobs how many jobs wait for it, for the event.
 */
export async function whileLeaseHolds<T>(runtime: Runtime, jobs: number, fn: () => Promise<T>): Promise<T> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      return await fn()
    } catch (error) {
      if (!isConnectionLoss(error) && !isContention(error)) throw error
      runtime.emit({ name: 'settle.retried', jobs, error: describeError(error) })
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (runtime.session.lost.aborted) {
        throw new LeaseLostError('LEASE_LOST', 'The lease ran out while the database was away.', { cause: error })
      }
    }
  }
}
