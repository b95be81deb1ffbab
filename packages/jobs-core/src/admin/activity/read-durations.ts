import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { mostTypes } from '../most-types.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { type BucketRow, percentile } from './percentile.ts'

/** How long jobs took. */
export interface Durations {
  /** From when a job was due until its first run; null: none started. */
  wait: DurationSummary | null
  /** Runs that completed their job; null: there were none. */
  run: DurationSummary | null
}

/** How long jobs of each type took. */
export interface JobDurations {
  /** In the alphabet's order, 100 at most. */
  types: (Durations & { type: string })[]
  /** Of all other types together; null: there are none. `types`: how many. */
  others: (Durations & { types: number }) | null
}

/** In milliseconds, at most a factor of √2 away; runs by the clock of the worker. */
export interface DurationSummary {
  jobs: number
  p50: number
  p95: number
}

interface Row extends BucketRow {
  /** Null: of all types that are not told one by one. */
  type: string | null
  measure: 'wait' | 'run'
  typesBeyond: number
}

interface Params {
  collections: readonly string[] | null
  first: readonly string[]
  most: number
}

const query = statement<Params, Row>(
  'jobs_admin_read_durations',
  (p) => sql`
    with found as materialized (select * from read_job_durations(${p('collections')}::uuid[])),
    ranked as materialized (
      select job_type, row_number() over (order by job_type = any(${p('first')}::text[]) desc, sum(jobs) desc, job_type) > ${p('most')}::int as beyond
      from found group by job_type)
    select case when not r.beyond then f.job_type end as type, f.measure, f.bucket, sum(f.jobs)::float8 as jobs,
      (select count(*) from ranked where beyond)::int as "typesBeyond"
    from found f join ranked r using (job_type) group by 1, 2, 3 order by 1, 2, 3`,
)

/**
 * How long the scope's jobs of each type have waited and run during this hour and the one before, as workers have counted them. However many types there are, at most
 * 100 are told one by one: `first` those named, as what `readActivity` told, then those with most jobs.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function readDurations(
  db: Queryable,
  scope: Scope,
  { first = [] }: { first?: readonly string[] } = {},
): Promise<JobDurations> {
  const rows = await runQuery(db, query({ collections: scopeIds(scope), first, most: mostTypes }))
  const types: JobDurations['types'] = []
  let others: JobDurations['others'] = null
  for (const [type, buckets] of Map.groupBy(rows, (row) => row.type)) {
    const durations = { wait: summarize(buckets, 'wait'), run: summarize(buckets, 'run') }
    if (type === null) others = { types: buckets[0]?.typesBeyond ?? 0, ...durations }
    else types.push({ type, ...durations })
  }
  return { types, others }
}

function summarize(rows: readonly Row[], measure: Row['measure']): DurationSummary | null {
  const buckets = rows.filter((row) => row.measure === measure)
  const jobs = buckets.reduce((sum, bucket) => sum + bucket.jobs, 0)
  return jobs === 0 ? null : { jobs, p50: percentile(buckets, 0.5), p95: percentile(buckets, 0.95) }
}
