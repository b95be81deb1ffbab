import type { PoolClient } from 'pg'

export interface StatusCount {
  status: string
  jobs: number
  /** Final jobs without a completed_at. */
  untimed: number
  /** Milliseconds since the youngest of them was started. */
  startedMsAgo: number | null
}

const query = `
  select status::text as status, count(*)::float8 as jobs,
    (count(*) filter (where completed_at is null and status::text in ('completed', 'error', 'cancelled')))::float8 as untimed,
    extract(epoch from clock_timestamp() - max(started_at))::float8 * 1000 as "startedMsAgo"
  from job_queue
  group by status order by 1`

export async function countJobs(client: PoolClient): Promise<StatusCount[]> {
  return (await client.query<StatusCount>(query)).rows
}
