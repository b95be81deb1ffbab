import type { ErrorDescription } from '../../errors/describe-error.ts'
import type { Runtime } from '../runtime.ts'
import { monotonicMs } from './monotonic-ms.ts'
import { renew } from './renew.ts'

/** Renews in the place of a thread that does not get through, or is late. */
export interface StandIn {
  /** Call it each time the thread has failed. */
  failed(error: ErrorDescription): Promise<void>
  /** Call it now and then: half a lease without a renewal is more than the thread ever needs, except where it has not even begun. */
  look(): Promise<void>
  /** The thread gets through again. */
  leave(): void
}

/**
 * The thread may be the only one that does not get through: where no new connection is to be had, those that are there go on. It is told
 * from the second time on, for a connection that broke is soon made anew.
 */
export function createStandIn(runtime: Runtime): StandIn {
  const { session, outage, emit } = runtime
  let renewing = false
  let failures = 0
  async function standIn(): Promise<boolean> {
    if (renewing || session.memory.isLost()) return false
    renewing = true
    try {
      const held = await renew(runtime)
      if (held) outage.back('heartbeat')
      else session.lose()
      return held
    } catch (error) {
      outage.lost('heartbeat', error)
      return false
    } finally {
      renewing = false
    }
  }
  return {
    async failed(error) {
      if ((await standIn()) && ++failures === 2) emit({ name: 'heartbeat.inline', error })
    },
    async look() {
      if (monotonicMs() - session.memory.renewedAt() > session.leaseMs / 2) await standIn()
    },
    leave() {
      failures = 0
    },
  }
}
