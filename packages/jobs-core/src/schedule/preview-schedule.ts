import { PermanentError } from '../errors/permanent-error.ts'
import { show } from '../text/show.ts'
import { checkTiming } from './check-timing.ts'
import { createTicker } from './ticker.ts'
import type { Timing } from './timing.ts'

const maxCount = 100

/**
 * The next ticks of a timing, clock changes included: to show before a schedule is saved. Pure: it asks no clock and no database.
 * @param options.from from when on; also where an interval without `startsAt` begins.
 * @param options.count how many, 1 … 100. Default 5.
 * @throws PermanentError `SCHEDULE_INVALID`, `CRON_INVALID`, `CRON_NEVER`, `TIME_ZONE_UNKNOWN`
 */
export function previewSchedule(timing: Timing, { from, count = 5 }: { from: Date; count?: number }): Date[] {
  const checked = checkTiming(timing, 'previewSchedule')
  const fromMs = from instanceof Date ? from.getTime() : Number.NaN
  if (Number.isNaN(fromMs)) throw invalid('from must be a valid Date', from instanceof Date ? 'an invalid Date' : from)
  if (!Number.isInteger(count) || count < 1 || count > maxCount) throw invalid(`count must be a whole number from 1 to ${maxCount}`, count)
  const ticker = createTicker(checked, timing.startsAt?.getTime() ?? fromMs)
  const ticks: Date[] = []
  for (let at = ticker.atOrAfter(fromMs); at !== null && ticks.length < count; at = ticker.atOrAfter(at + 1)) ticks.push(new Date(at))
  return ticks
}

function invalid(expected: string, got: unknown): PermanentError {
  return new PermanentError('SCHEDULE_INVALID', `previewSchedule: ${expected}, got ${show(got)}.`)
}
