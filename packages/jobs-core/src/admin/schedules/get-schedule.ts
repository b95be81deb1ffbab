import type { Kysely } from 'kysely'
import type { QueueDatabase } from '../../database/tables.ts'
import type { ScheduleKey } from '../../schedule/schedule-options.ts'
import type { Scope } from '../scope.ts'
import { checkKey, type Schedule, scheduleNotFound } from './schedule-key.ts'

/**
 * Reads one schedule. `next_at` is null until a worker has looked at it.
 * @throws QueueError `SCHEDULE_NOT_FOUND`, also for one outside the scope: the two look alike.
 */
export async function getSchedule(db: Kysely<QueueDatabase>, key: ScheduleKey, scope: Scope): Promise<Schedule> {
  checkKey(key, scope)
  const schedule = await db
    .selectFrom('job_schedules')
    .selectAll()
    .where('collection_node_id', '=', key.collectionNodeId)
    .where('name', '=', key.name)
    .executeTakeFirst()
  if (schedule) return schedule
  throw scheduleNotFound(key)
}
