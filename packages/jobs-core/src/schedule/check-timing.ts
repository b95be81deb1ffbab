import { PermanentError } from '../errors/permanent-error.ts'
import { show } from '../text/show.ts'
import { parseCron } from './cron.ts'
import type { CheckedTiming, Timing } from './timing.ts'

const maxSeconds = 31_622_400
const maxZoneLength = 64
const latestStart = Date.UTC(9_000, 0, 1)

/**
 * Checks a timing whole; `startsAt` is only checked, not returned.
 * @param where who asks, for messages: `previewSchedule`.
 * @throws PermanentError `SCHEDULE_INVALID`, `CRON_INVALID`, `CRON_NEVER`, `TIME_ZONE_UNKNOWN`
 */
export function checkTiming({ cron, everySeconds, timeZone = 'UTC', startsAt }: Timing, where: string): CheckedTiming {
  checkZone(timeZone, where)
  checkStart(startsAt, where)
  if ((cron == null) === (everySeconds == null)) {
    throw new PermanentError(
      'SCHEDULE_INVALID',
      `${where}: expected either cron or everySeconds, got ${cron == null ? 'neither' : 'both'}. A cron text says at which times, everySeconds how far apart.`,
    )
  }
  if (cron != null) {
    parseCron(cron, timeZone, where)
    return { cron, everySeconds: null, timeZone }
  }
  if (!Number.isInteger(everySeconds) || Number(everySeconds) < 1 || Number(everySeconds) > maxSeconds) {
    throw new PermanentError(
      'SCHEDULE_INVALID',
      `${where}: everySeconds must be a whole number from 1 to ${maxSeconds} (366 days), got ${show(everySeconds)}.`,
    )
  }
  return { cron: null, everySeconds: Number(everySeconds), timeZone }
}

function checkZone(timeZone: unknown, where: string): void {
  // Intl also takes offsets (+01:00); a zone with its clock changes is meant.
  if (typeof timeZone === 'string' && timeZone.length <= maxZoneLength && /^[a-z]/i.test(timeZone) && isZone(timeZone)) return
  throw new PermanentError('TIME_ZONE_UNKNOWN', `${where}: expected an IANA time zone, like Europe/Oslo or UTC, got ${show(timeZone)}.`)
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

function checkStart(startsAt: unknown, where: string): void {
  if (startsAt === undefined) return
  const time = startsAt instanceof Date ? startsAt.getTime() : Number.NaN
  if (time >= 0 && time < latestStart) return
  const got = startsAt instanceof Date ? (Number.isNaN(time) ? 'an invalid Date' : startsAt.toISOString()) : startsAt
  throw new PermanentError('SCHEDULE_INVALID', `${where}: startsAt must be a Date between 1970 and 9000, got ${show(got)}.`)
}
