import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { type BucketRow, percentile } from './percentile.ts'

/** How long jobs of a type took. */
export interface JobDurations {
  type: string
  /** From when a job was due until its first run; null: none started. */
  wait: DurationSummary | null
  /** Runs that completed their job; null: there were none. */
  run: DurationSummary | null
}

/** In milliseconds, at most a factor of √2 away; runs by the clock of the worker. */
export interface DurationSummary {
  jobs: number
  p50: number
  p95: number
}

interface Row extends BucketRow {
  type: string
  measure: 'wait' | 'run'
}

const query = statement<{ collections: readonly string[] | null }, Row>(
  'jobs_admin_read_durations',
  (p) => sql`
    select job_type as type, measure, bucket, jobs::float8 as jobs from read_job_durations(${p('collections')}::uuid[]) order by 1, 2, 3`,
)

/**
 * How long the scope's jobs of each type have waited and run during this hour and the one before, as workers have counted them.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function readDurations(db: Queryable, scope: Scope): Promise<JobDurations[]> {
  const rows = await runQuery(db, query({ collections: scopeIds(scope) }))
  return [...Map.groupBy(rows, ({ type }) => type)].map(([type, buckets]) => ({
    type,
    wait: summarize(buckets.filter(({ measure }) => measure === 'wait')),
    run: summarize(buckets.filter(({ measure }) => measure === 'run')),
  }))
}

function summarize(buckets: readonly BucketRow[]): DurationSummary | null {
  const jobs = buckets.reduce((sum, bucket) => sum + bucket.jobs, 0)
  return jobs === 0 ? null : { jobs, p50: percentile(buckets, 0.5), p95: percentile(buckets, 0.95) }
}
