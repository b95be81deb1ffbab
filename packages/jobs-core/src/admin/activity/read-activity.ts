import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { type ActivityRow, type ActivitySeries, fillSeries } from './fill-series.ts'

/** `minute`: the last 30 minutes, one by one. `hour`: the last 24 hours. */
export type ActivitySpan = 'minute' | 'hour'

/** How many jobs ended over time. */
export interface JobActivity {
  /** When each span begins, the oldest first. The last is still going on. */
  startsAt: Date[]
  /** By type, in the alphabet's order; types of which nothing ended are not in it. */
  types: ActivitySeries[]
}

const lengths = { minute: 30, hour: 24 } as const
const spanMs = { minute: 60_000, hour: 3_600_000 } as const

const query = statement<{ collections: readonly string[] | null; span: ActivitySpan; spans: number }, ActivityRow & { now: Date }>(
  'jobs_admin_read_activity',
  (p) => sql`
    select at.now, a.job_type as type, a.starts_at as "startsAt", a.completed::float8 as completed, a.failed::float8 as failed, a.retried::float8 as retried
    from (select date_trunc(${p('span')}::text, clock_timestamp(), 'UTC') as now) at
      left join read_job_activity(${p('collections')}::uuid[], ${p('span')}::text, ${p('spans')}::int) a on true
    order by 2, 3`,
)

/**
 * How many of the scope's jobs were completed, failed for good and failed to be tried again, as workers have counted them: some seconds late, and without what a killed
 * worker had not said yet.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function readActivity(db: Queryable, scope: Scope, span: ActivitySpan): Promise<JobActivity> {
  const spans = lengths[span]
  const rows = await runQuery(db, query({ collections: scopeIds(scope), span, spans }))
  const last = (rows[0]?.now ?? new Date()).getTime()
  const startsAt = Array.from({ length: spans }, (_, index) => new Date(last - (spans - 1 - index) * spanMs[span]))
  return { startsAt, types: fillSeries(rows, startsAt) }
}
