import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'
import type { Misfire } from '../schedule/timing.ts'

/** A schedule that is due, or whose next tick has not been computed. Times in milliseconds since 1970. */
export interface DueSchedule {
  id: string
  revision: number
  name: string
  job_type: string
  collection_node_id: string
  cron: string | null
  every_seconds: number | null
  time_zone: string
  misfire: Misfire
  starts_at_ms: number
  counts_from_ms: number
  next_at_ms: number | null
}

export interface DueSchedules {
  /** The database's time. */
  nowMs: number
  /** Until the first tick to come of any schedule; null when none is to come. */
  nextInMs: number | null
  due: DueSchedule[]
}

interface Params {
  /** Schedules to leave out. */
  except: readonly string[]
  limit: number
}

type Row = { now_ms: number; next_in_ms: number | null } & (DueSchedule | { [Key in keyof DueSchedule]: null })

/** Both looks go down one index. Always at least one row. */
const query = statement<Params, Row>(
  'jobs_find_due_schedules',
  (p) => sql`
    select floor(extract(epoch from t.now) * 1000)::float8 as now_ms,
      (select extract(epoch from coalesce(n.next_at, '-infinity') - t.now) * 1000 from job_schedules n
        where n.enabled and n.error_msg is null and coalesce(n.next_at, '-infinity') > t.now
        order by coalesce(n.next_at, '-infinity') limit 1)::float8 as next_in_ms,
      d.*
    from (select clock_timestamp() as now offset 0) t left join lateral (
      select s.id, s.revision, s.name, s.job_type, s.collection_node_id, s.cron, s.every_seconds, s.time_zone, s.misfire,
        floor(extract(epoch from s.starts_at) * 1000)::float8 as starts_at_ms,
        floor(extract(epoch from s.counts_from) * 1000)::float8 as counts_from_ms,
        floor(extract(epoch from nullif(s.next_at, '-infinity')) * 1000)::float8 as next_at_ms
      from job_schedules s
      where s.enabled and s.error_msg is null and coalesce(s.next_at, '-infinity') <= t.now and s.id <> all(${p('except')}::uuid[])
      order by coalesce(s.next_at, '-infinity') limit ${p('limit')}::int) d on true`,
)

/** Which schedules have something to do, the longest due first, and when the next one will. */
export async function findDueSchedules(queue: QueueConnection, except: readonly string[], limit: number): Promise<DueSchedules> {
  const rows = await queue.run(query({ except, limit }))
  return {
    nowMs: rows[0]?.now_ms ?? 0,
    nextInMs: rows[0]?.next_in_ms ?? null,
    due: rows.flatMap(({ now_ms, next_in_ms, ...schedule }) => (schedule.id === null ? [] : [schedule])),
  }
}
