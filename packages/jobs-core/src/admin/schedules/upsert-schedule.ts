import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { isCollectionRefused } from '../../queue/explain-refusal.ts'
import type { ScheduleOptions } from '../../schedule/schedule-options.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { type NewSchedule, prepareSchedule } from './prepare-schedule.ts'
import { collectionNotFound } from './schedule-key.ts'

const query = statement<NewSchedule, { id: string }>(
  'jobs_admin_upsert_schedule',
  (p) => sql`
    insert into job_schedules as s (collection_node_id, name, job_type, payload, cron, every_seconds, time_zone, starts_at, priority,
      max_attempts, unique_key, unique_until, misfire, enabled)
    values (${p('collectionNodeId')}::uuid, ${p('name')}::text, ${p('type')}::text, ${p('payloadJson')}::jsonb, ${p('cron')}::text,
      ${p('everySeconds')}::int, ${p('timeZone')}::text, coalesce(${p('startsAt')}::timestamptz, date_trunc('milliseconds', now())),
      ${p('priority')}::smallint, ${p('maxAttempts')}::smallint, ${p('uniqueKey')}::text, ${p('uniqueUntil')}::text,
      ${p('misfire')}::text, coalesce(${p('enabled')}::boolean, true))
    on conflict (collection_node_id, name) do update set
      job_type = excluded.job_type, payload = excluded.payload, cron = excluded.cron, every_seconds = excluded.every_seconds,
      time_zone = excluded.time_zone, starts_at = coalesce(${p('startsAt')}::timestamptz, s.starts_at), priority = excluded.priority,
      max_attempts = excluded.max_attempts, unique_key = excluded.unique_key, unique_until = excluded.unique_until,
      misfire = excluded.misfire, enabled = coalesce(${p('enabled')}::boolean, s.enabled)
    returning id`,
)

/**
 * Makes a schedule, or makes the one of this name what is said here: as a web application does at every start, in any number of
 * processes. What stays: `startsAt` and `enabled` where they are not given, and the next tick where the timing is the same. Any worker enqueues its
 * jobs, from the moment this commits.
 *
 * ```ts
 * await upsertSchedule(db, { collectionNodeId, name: 'nightly', job: report, payload: {}, cron: '0 3 * * *', timeZone: 'Europe/Oslo' }, scope)
 * ```
 *
 * @returns its id.
 * @throws PermanentError `SCHEDULE_INVALID`, `CRON_INVALID`, `CRON_NEVER`, `TIME_ZONE_UNKNOWN` · InvalidPayloadError `PAYLOAD_INVALID`,
 * `PAYLOAD_NOT_JSON`, `PAYLOAD_TOO_LARGE`, `JOB_TYPE_INVALID`, `OPTION_INVALID` · QueueError `COLLECTION_NOT_FOUND` (none that the scope names,
 * none at all, or, where roles are installed, none in which the user may act)
 */
export async function upsertSchedule<Input>(db: Queryable, schedule: ScheduleOptions<Input>, scope: Scope): Promise<{ id: string }> {
  const collections = scopeIds(scope)
  const prepared = await prepareSchedule(schedule)
  if (collections && !collections.includes(prepared.collectionNodeId)) throw collectionNotFound(prepared.collectionNodeId)
  const [row] = await runQuery(db, query(prepared)).catch((error) => {
    throw isCollectionRefused(error, 'job_schedules') ? collectionNotFound(prepared.collectionNodeId, error) : error
  })
  return row as { id: string }
}
