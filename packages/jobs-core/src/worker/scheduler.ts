import { isConnectionLoss } from '../database/sql-state.ts'
import { describeError } from '../errors/describe-error.ts'
import { createPulse } from './pulse.ts'
import type { Repetition } from './repeat.ts'
import type { Runtime } from './runtime.ts'
import { tickSchedules } from './tick-schedules.ts'

/** A new schedule is found within so many polls, at least once a minute; a tick that is known of is waited for to the millisecond. */
const pollsPerLook = 5
const maxLookMs = 60_000

/** While looks fail, that is told so often. */
const remindMs = 60_000

/** Every worker looks for due schedules, whatever types it runs. */
export function startScheduler(runtime: Runtime): Repetition {
  const { settings, queue, emit } = runtime
  const lookMs = Math.min(settings.pollIntervalMs * pollsPerLook, maxLookMs)
  const pulse = createPulse()
  const failed = new Map<string, number>()
  let stopped = false
  let toldAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<number> {
    try {
      const { nextInMs } = await tickSchedules({ queue, emit, failed }, () => stopped)
      toldAt = Number.NEGATIVE_INFINITY
      return Math.min(lookMs, Math.max(1, Math.ceil(nextInMs ?? lookMs)))
    } catch (error) {
      tell(error)
      return lookMs
    }
  }

  function tell(error: unknown): void {
    // The claim loop and the heartbeat report a database that is away.
    if (isConnectionLoss(error) || performance.now() - toldAt < remindMs) return
    toldAt = performance.now()
    emit({ name: 'schedules.failing', error: describeError(error) })
  }

  const loop = (async () => {
    while (!stopped) await pulse.sleep(await look())
  })()
  return {
    stop() {
      stopped = true
      pulse.wake()
      return loop
    },
  }
}
