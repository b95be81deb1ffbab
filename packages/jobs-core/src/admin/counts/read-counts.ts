import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import type { JobStatus } from '../../database/tables.ts'
import { type Scope, scopeIds } from '../scope.ts'

/** How many jobs of a type have a status, as they were counted last. */
export interface CountedJobs {
  type: string
  status: JobStatus
  jobs: number
  /** There are at least so many: finished jobs are counted up to 10,000 a collection. */
  capped: boolean
  /** Of waiting jobs: since when the oldest of them is due. */
  oldestDueAt: Date | null
}

/** One count for all who look. */
export interface JobCounts {
  counts: CountedJobs[]
  /** When waiting, running and failed jobs were counted; null before the first time. */
  countedAt: Date | null
  /** When finished jobs were counted, the collection that was counted longest ago. */
  finishedCountedAt: Date | null
  /** Whether it is time to count anew: see `refreshCounts`. */
  due: boolean
}

interface Row extends CountedJobs {
  type: string
}

interface Round {
  countedAt: Date | null
  finishedAt: Date | null
  due: boolean
}

const countsQuery = statement<{ collections: readonly string[] | null }, Row>(
  'jobs_admin_read_counts',
  (p) => sql`
    select job_type as type, status, least(sum(jobs), 2147483647)::int as jobs, bool_or(capped) as capped, min(oldest_due_at) as "oldestDueAt"
    from job_counts
    where ${p('collections')}::uuid[] is null or collection_node_id = any(${p('collections')}::uuid[])
    group by job_type, status order by job_type, status`,
)

const roundsQuery = statement<object, Round>(
  'jobs_admin_read_count_rounds',
  () => sql`
    select max(counted_at) filter (where kind = 'live') as "countedAt", max(counted_at) filter (where kind = 'finished') as "finishedAt",
      bool_or(next_at <= clock_timestamp()) as due
    from job_count_rounds`,
)

/** When jobs were counted last: for who only wants to know whether there is a newer count. */
export async function readCountedAt(db: Queryable): Promise<Date | null> {
  return (await runQuery(db, roundsQuery({})))[0]?.countedAt ?? null
}

/** Reads the newest count of the scope's jobs by type and status: a few rows, however many jobs there are. */
export async function readCounts(db: Queryable, scope: Scope): Promise<JobCounts> {
  const counts = await runQuery(db, countsQuery({ collections: scopeIds(scope) }))
  const [round] = await runQuery(db, roundsQuery({}))
  return { counts, countedAt: round?.countedAt ?? null, finishedCountedAt: round?.finishedAt ?? null, due: round?.due ?? false }
}
