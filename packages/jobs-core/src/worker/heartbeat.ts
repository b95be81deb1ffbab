import { describeError } from '../errors/describe-error.ts'
import { renewLease } from '../queue/renew-lease.ts'
import { type Repetition, repeat } from './repeat.ts'
import type { Runtime } from './runtime.ts'

/** Three chances to renew before the lease runs out. */
const heartbeatsPerLease = 3

/** Renews the lease and ends the session when it is lost. */
export function startHeartbeat(runtime: Runtime): Repetition {
  const { session, settings, emit } = runtime
  return repeat(
    settings.leaseMs / heartbeatsPerLease,
    async () => {
      if (!(await renew(runtime))) return session.lose()
    },
    (error) => emit({ name: 'database.lost', during: 'heartbeat', error: describeError(error) }),
  )
}

/** Renews the lease now; false when it is lost. */
export async function renew({ lifeline, session }: Runtime): Promise<boolean> {
  const askedAt = performance.now()
  if (!(await renewLease(lifeline, session.id, session.leaseMs))) return false
  session.renewed(askedAt)
  return true
}
