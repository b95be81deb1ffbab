import { createTicker } from './ticker.ts'
import type { CheckedTiming, Misfire } from './timing.ts'

/** `all` makes up for so many ticks at most: the newest. */
export const MAX_CATCH_UP = 100
/** A tick that is found so late was not missed. */
export const ON_TIME_MS = 60_000

/** A schedule as it was read, with the database's time. */
export interface ScheduleState {
  timing: CheckedTiming
  startsAtMs: number
  countsFromMs: number
  /** Null: not computed yet. */
  nextAtMs: number | null
  misfire: Misfire
  nowMs: number
}

export interface DueTicks {
  /** Which get a job, oldest first. */
  ticks: number[]
  /** How many ticks are over and get none; counted up to {@link MAX_CATCH_UP}. */
  skipped: number
  /** The tick to wait for; null: there is none any more. */
  nextAtMs: number | null
}

/**
 * What a schedule has to do at a time. Pure.
 * @throws PermanentError `CRON_INVALID`, `CRON_NEVER`, when the row was not written by `upsertSchedule`
 */
export function dueTicks({ timing, startsAtMs, countsFromMs, nextAtMs, misfire, nowMs }: ScheduleState): DueTicks {
  const ticker = createTicker(timing, startsAtMs)
  const first = nextAtMs ?? ticker.atOrAfter(countsFromMs)
  if (first === null || first > nowMs) return { ticks: [], skipped: 0, nextAtMs: first }
  // Somebody may have set next_at by hand, to a time that is no tick otherwise.
  const over = [first, ...ticker.upTo(nowMs, MAX_CATCH_UP).filter((tick) => tick > first)].slice(-MAX_CATCH_UP)
  const ticks = choose(over, misfire, nowMs)
  return { ticks, skipped: over.length - ticks.length, nextAtMs: ticker.atOrAfter(nowMs + 1) }
}

function choose(over: number[], misfire: Misfire, nowMs: number): number[] {
  if (misfire === 'all') return over
  const last = over.slice(-1)
  return misfire === 'last' ? last : last.filter((tick) => nowMs - tick <= ON_TIME_MS)
}
