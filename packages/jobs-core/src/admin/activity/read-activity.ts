import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { mostTypes } from '../most-types.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { type ActivityRow, type ActivitySeries, fillSeries } from './fill-series.ts'

/** `minute`: the last 30 minutes, one by one. `hour`: the last 24 hours. */
export type ActivitySpan = 'minute' | 'hour'

/** How many jobs ended over time. */
export interface JobActivity {
  /** When each span begins, the oldest first. The last is still going on. */
  startsAt: Date[]
  /** By type, in the alphabet's order: the 100 of which most ended. Types of which nothing ended are not in it. */
  types: ActivitySeries[]
  /** All others together; null: there are none. */
  others: OtherActivity | null
}

/** What ended of types that are not told one by one. */
export interface OtherActivity extends Omit<ActivitySeries, 'type'> {
  /** How many types. */
  types: number
}

const lengths = { minute: 30, hour: 24 } as const
const spanMs = { minute: 60_000, hour: 3_600_000 } as const

interface Params {
  collections: readonly string[] | null
  span: ActivitySpan
  spans: number
  most: number
}

const query = statement<Params, ActivityRow & { now: Date; typesBeyond: number }>(
  'jobs_admin_read_activity',
  (p) => sql`
    with found as materialized (
      select * from read_job_activity(${p('collections')}::uuid[], ${p('span')}::text, ${p('spans')}::int)),
    ranked as materialized (
      select job_type, row_number() over (order by sum(completed + failed + retried) desc, job_type) > ${p('most')}::int as beyond from found group by job_type)
    select at.now, (select count(*) from ranked where beyond)::int as "typesBeyond", a.*
    from (select date_trunc(${p('span')}::text, clock_timestamp(), 'UTC') as now) at left join (
      select case when not r.beyond then f.job_type end as type, f.starts_at as "startsAt",
        sum(f.completed)::float8 as completed, sum(f.failed)::float8 as failed, sum(f.retried)::float8 as retried
      from found f join ranked r using (job_type) group by 1, 2) a on true
    order by a.type, a."startsAt"`,
)

/**
 * How many of the scope's jobs were completed, failed for good and failed to be tried again, as workers have counted them: some seconds late, and without what a killed
 * worker had not said yet. However many types there are, at most 100 are told one by one.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function readActivity(db: Queryable, scope: Scope, span: ActivitySpan): Promise<JobActivity> {
  const spans = lengths[span]
  const rows = await runQuery(db, query({ collections: scopeIds(scope), span, spans, most: mostTypes }))
  const last = (rows[0]?.now ?? new Date()).getTime()
  const startsAt = Array.from({ length: spans }, (_, index) => new Date(last - (spans - 1 - index) * spanMs[span]))
  const { types, others } = fillSeries(rows, startsAt)
  return { startsAt, types, others: others && { types: rows[0]?.typesBeyond ?? 0, ...others } }
}
