import { isConnectionLoss } from '../database/sql-state.ts'
import type { Completions } from './completions.ts'
import type { Pulse } from './pulse.ts'
import type { Runtime } from './runtime.ts'
import { settleAgain, settleOnly } from './settle-batch.ts'

/** Longer than any wait for results. */
const untilWokenMs = 60_000

interface SettlingBeside {
  /** Ends it after the statement that is under way. @returns false when it is not known what became of that. */
  stop(): Promise<boolean>
}

/**
 * Settles results that become due while the loop's own statement is under way, on another connection: with short jobs the database
 * settles these while it claims those. They are rows this worker runs already, and that no claim can want.
 */
export function settleBeside(runtime: Runtime, completions: Completions, pulse: Pulse): SettlingBeside {
  let stopped = false
  const settling = (async () => {
    while (!stopped) {
      await pulse.sleep(Math.min(completions.dueInMs(), untilWokenMs))
      if (stopped || !completions.isDue()) continue
      const batch = completions.take()
      try {
        await settleOnly(runtime, completions, batch)
      } catch (error) {
        settleAgain(runtime, completions, batch, error)
        if (isConnectionLoss(error)) return false
      }
    }
    return true
  })()
  return {
    stop() {
      stopped = true
      pulse.wake()
      return settling
    },
  }
}
