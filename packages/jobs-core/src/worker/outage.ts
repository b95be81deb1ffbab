import { sqlState } from '../database/sql-state.ts'
import { describeError } from '../errors/describe-error.ts'
import type { OnWorkerEvent } from './events.ts'

/** While it lasts it is told again so often, so that it can be seen in the newest part of a log. */
const remindMs = 60_000
const lookMs = 100

/** What of a worker needs the database and says how that goes. */
export type OutagePart = 'start' | 'claim' | 'heartbeat' | 'rescue'

/** Makes one outage of what each part of a worker notices by itself: told once when it begins and once when it is over. */
export interface Outage {
  /** This part did not get through. */
  lost(part: OutagePart, error: unknown): void
  /** This part got through. The outage is over when that is true of every part that did not. */
  back(part: OutagePart): void
  /** Sleeps for `ms`; after that, while there is an outage, on for at most `longestMs` more, or until the signal aborts. */
  pause(ms: number, longestMs: number, signal: AbortSignal): Promise<void>
}

export function createOutage(emit: OnWorkerEvent): Outage {
  const failing = new Set<OutagePart>()
  let begunAt = 0
  /** When each of its reasons was last told: what the server said, or, the same reason whatever the system calls it, that it said nothing. */
  const told = new Map<string | undefined, number>()
  return {
    lost(part, error) {
      const now = performance.now()
      const reason = sqlState(error)
      if (failing.size === 0) {
        begunAt = now
        told.clear()
      }
      if (now - (told.get(reason) ?? Number.NEGATIVE_INFINITY) > remindMs) {
        told.set(reason, now)
        emit({ name: 'database.lost', during: part, error: describeError(error) })
      }
      failing.add(part)
    },
    back(part) {
      if (failing.delete(part) && failing.size === 0) emit({ name: 'database.back', afterMs: performance.now() - begunAt })
    },
    async pause(ms, longestMs, signal) {
      await sleep(ms)
      for (const end = performance.now() + longestMs; failing.size > 0 && !signal.aborted && performance.now() < end; ) await sleep(lookMs)
    },
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
