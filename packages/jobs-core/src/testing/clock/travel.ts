import type { Queryable } from '../../database/queryable.ts'
import { readRows } from '../read-rows.ts'
import { type Duration, durationMs } from './duration.ts'
import { moveClock } from './move-clock.ts'

/**
 * Lets time pass for the queue, without waiting. Only the database's clock decides what is due, and that cannot be set; so the rows
 * are moved instead: every time of every job, and of its history, becomes that much earlier. What was scheduled for within that time, a
 * retry's backoff included, is due afterwards, and workers that sleep are woken for it. So it is with schedules: a tick within that time is
 * due afterwards. Later ticks of a cron text come at its wall-clock times again, which do not move. The next
 * probe of a service that is down is due sooner, too.
 *
 * Running jobs and workers stay where they are, since their leases are renewed in real time; so do your own tables.
 * @throws ConfigurationError `TEST_OPTION_INVALID`
 */
export async function travel(db: Queryable, duration: Duration): Promise<void> {
  await readRows(db, moveClock(durationMs(duration, 'travel')))
}
