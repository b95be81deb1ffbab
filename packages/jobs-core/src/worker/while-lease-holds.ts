import { isConnectionLoss, isContention, isServerTrouble } from '../database/sql-state.ts'
import { describeError } from '../errors/describe-error.ts'
import { LeaseLostError } from '../errors/queue-error.ts'
import type { Runtime } from './runtime.ts'

const firstDelayMs = 50
const maxDelayMs = 1_000
/** How long a settle waits for the end of an outage before it tries by itself: with many of them that is often enough. */
const maxOutageMs = 5_000

/**
 * Tries a statement about one of this worker's runs until it gets through or the lease is lost: a database that is away is no fault
 * of the job's, nor is somebody else's lock. Other errors are thrown at once.
 * @param isPassing which errors to try again after.
 */
export async function whileLeaseHolds<T>(runtime: Runtime, fn: () => Promise<T>, isPassing = isNobodysFault): Promise<T> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      return await fn()
    } catch (error) {
      if (!isPassing(error)) throw error
      runtime.emit({ name: 'settle.retried', jobs: 1, error: describeError(error) })
      await runtime.outage.pause(delayMs, maxOutageMs, runtime.session.lost)
      if (runtime.session.lost.aborted) {
        throw new LeaseLostError('LEASE_LOST', 'The lease ran out while the database was away.', { cause: error })
      }
    }
  }
}

/** A lost connection, a lock, a server in trouble. */
export function isNobodysFault(error: unknown): boolean {
  return isConnectionLoss(error) || isContention(error) || isServerTrouble(error)
}
