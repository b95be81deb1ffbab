import { renewLease } from '../../queue/renew-lease.ts'
import type { Runtime } from '../runtime.ts'
import type { Session } from '../session.ts'
import { monotonicMs } from './monotonic-ms.ts'

/** Renews the lease now, from this event loop; false when it is lost. */
export async function renew({ lifeline, session }: Runtime): Promise<boolean> {
  const askedAt = monotonicMs()
  if (!(await renewLease(lifeline, renewal(session, session.memory.takeLongestSilenceMs())))) return false
  session.renewed(askedAt)
  return true
}

/** What a renewal says. */
export function renewal({ id, leaseMs, memory }: Session, loopSilentMs: number) {
  return { id, leaseMs, loopSilentMs, heldFrom: memory.heldFrom() }
}
