import type { ErrorDescription } from '../../errors/describe-error.ts'
import type { Runtime } from '../runtime.ts'
import { renew } from './renew.ts'

/** Renews in the place of a thread that does not get through. */
export interface StandIn {
  /** Call it each time the thread has failed. */
  renew(error: ErrorDescription): Promise<void>
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
  let renewals = 0
  return {
    async renew(error) {
      if (renewing) return
      renewing = true
      try {
        if (await renew(runtime)) {
          outage.back('heartbeat')
          if (++renewals === 2) emit({ name: 'heartbeat.inline', error })
        } else session.lose()
      } catch (own) {
        outage.lost('heartbeat', own)
      } finally {
        renewing = false
      }
    },
    leave() {
      renewals = 0
    },
  }
}
