import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/** So many rows of each kind at a time: nobody waits for it. */
const most = 5_000

/** Two hours of minutes, three of durations, and eight days of hours. Rows that another worker is deleting are left to it. */
const query = statement<object, { forgotten: number }>(
  'jobs_forget_activity',
  () => sql`
    with old_minutes as (
      select ctid from job_activity where span = 'minute' and starts_at < clock_timestamp() - interval '2 hours'
      limit ${sql.lit(most)} for update skip locked),
    old_hours as (
      select ctid from job_activity where span = 'hour' and starts_at < clock_timestamp() - interval '8 days'
      limit ${sql.lit(most)} for update skip locked),
    old_durations as (
      select ctid from job_durations where starts_at < clock_timestamp() - interval '3 hours'
      limit ${sql.lit(most)} for update skip locked),
    activity as (
      delete from job_activity where ctid = any (array(select ctid from old_minutes union all select ctid from old_hours)) returning 1),
    durations as (
      delete from job_durations where ctid = any (array(select ctid from old_durations)) returning 1)
    select ((select count(*) from activity) + (select count(*) from durations))::int as forgotten`,
)

/** Deletes what nobody draws any more, up to 5,000 rows of each kind; returns how many it were. */
export async function forgetActivity(queue: QueueConnection): Promise<number> {
  return (await queue.run(query({})))[0]?.forgotten ?? 0
}
