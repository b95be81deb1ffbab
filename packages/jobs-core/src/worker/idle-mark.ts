import { markIdle } from '../queue/mark-idle.ts'
import type { Runtime } from './runtime.ts'

/** Busy for this long, the worker asks not to be notified any more. Shorter pauses would only write the mark back and forth. */
const busyAfterMs = 500

/** Keeps `job_workers.idle` in step with whether the worker sleeps. */
export interface IdleMark {
  /** Before a sleep: true when the mark had to be set, so that the caller looks for work once more. */
  beforeSleep(): Promise<boolean>
  /** After a round trip that filled every slot. */
  whileBusy(): void
}

export function createIdleMark(runtime: Runtime): IdleMark {
  let marked = false
  let sleptAt = performance.now()
  /** The unmarking that may still be under way: on another connection it could otherwise overtake the next marking. */
  let unmarking: Promise<void> = Promise.resolve()
  /** Where no notification can arrive none need be sent. */
  const hears = () => runtime.pooling.mode !== 'transaction'
  return {
    async beforeSleep() {
      sleptAt = performance.now()
      if (marked) return false
      await unmarking
      if (hears()) await markIdle(runtime.queue, runtime.session.id, true)
      marked = true
      return true
    },
    whileBusy() {
      if (!marked || performance.now() - sleptAt < busyAfterMs) return
      marked = false
      if (hears()) unmarking = markIdle(runtime.queue, runtime.session.id, false).catch(() => {})
    },
  }
}
