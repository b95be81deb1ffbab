import { parseCron } from './cron.ts'
import type { CheckedTiming } from './timing.ts'

/** Gives the ticks of a timing, in milliseconds since 1970. Pure: it knows no now. */
export interface Ticker {
  /** The first tick at this time or later; null when there is none any more. */
  atOrAfter(ms: number): number | null
  /** The newest ticks up to and including this time, oldest first, at most `count`. */
  upTo(ms: number, count: number): number[]
}

/** @throws PermanentError `CRON_INVALID`, `CRON_NEVER` */
export function createTicker(timing: CheckedTiming, startsAtMs: number): Ticker {
  return timing.cron === null ? intervalTicker(timing.everySeconds * 1_000, startsAtMs) : cronTicker(timing, startsAtMs)
}

function intervalTicker(periodMs: number, startsAtMs: number): Ticker {
  return {
    atOrAfter: (ms) => startsAtMs + Math.max(0, Math.ceil((ms - startsAtMs) / periodMs)) * periodMs,
    upTo(ms, count) {
      const last = Math.floor((ms - startsAtMs) / periodMs)
      const first = Math.max(0, last - count + 1)
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => startsAtMs + (first + n) * periodMs)
    },
  }
}

function cronTicker({ cron: text, timeZone }: { cron: string; timeZone: string }, startsAtMs: number): Ticker {
  const cron = parseCron(text, timeZone, 'cron')
  return {
    // Croner looks strictly after, and strictly before.
    atOrAfter: (ms) => cron.nextRun(new Date(Math.max(ms, startsAtMs) - 1))?.getTime() ?? null,
    upTo: (ms, count) =>
      cron
        .previousRuns(count, new Date(ms + 1))
        .map((date) => date.getTime())
        .filter((tick) => tick >= startsAtMs)
        .reverse(),
  }
}
