import { sqlState } from '../../database/sql-state.ts'
import { renewLease } from '../../queue/renew-lease.ts'
import type { Runtime } from '../runtime.ts'
import { monotonicMs } from './monotonic-ms.ts'

type Parts = Pick<Runtime, 'lifeline' | 'queue' | 'session'>

/** Renews the lease now, from this event loop; false when it is lost. */
export async function renew(parts: Parts): Promise<boolean> {
  const { session } = parts
  const askedAt = monotonicMs()
  if (!(await askToRenew(parts, session.memory.takeLongestSilenceMs()))) return false
  session.renewed(askedAt)
  return true
}

/** Asks by the lifeline; where that is given no connection, by the queue's, which may have one from before. */
export async function askToRenew({ lifeline, queue, session }: Parts, loopSilentMs: number): Promise<boolean> {
  const renewal = { id: session.id, leaseMs: session.leaseMs, loopSilentMs, heldFrom: session.memory.heldFrom() }
  try {
    return await renewLease(lifeline, renewal)
  } catch (error) {
    if (!isTurnedAway(error)) throw error
    return await renewLease(queue, renewal)
  }
}

/** The server, or a pooler, has no more connections to give. */
function isTurnedAway(error: unknown): boolean {
  return /^(53300|08)/.test(sqlState(error) ?? '')
}
