import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import type { JobStatus } from '../../database/tables.ts'
import { mostTypes } from '../most-types.ts'
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
  /** Of 100 types at most: those whose jobs have waited longest, then those with most jobs. */
  counts: CountedJobs[]
  /** Of all other types together, by status; null: there are none. */
  others: OtherCounts | null
  /** When waiting, running and failed jobs were counted; null before the first time. */
  countedAt: Date | null
  /** When finished jobs were counted, the collection that was counted longest ago. */
  finishedCountedAt: Date | null
  /** Whether it is time to count anew: see `refreshCounts`. */
  due: boolean
}

/** What was counted of types that are not told one by one. */
export interface OtherCounts {
  /** How many types. */
  types: number
  counts: Omit<CountedJobs, 'type'>[]
}

interface Row extends Omit<CountedJobs, 'type'> {
  /** Null: of all types that are not told one by one. */
  type: string | null
  typesBeyond: number
}

interface Round {
  countedAt: Date | null
  finishedAt: Date | null
  due: boolean
}

const countsQuery = statement<{ collections: readonly string[] | null; most: number }, Row>(
  'jobs_admin_read_counts',
  (p) => sql`
    with found as materialized (
      select job_type, status, sum(jobs) as jobs, bool_or(capped) as capped, min(oldest_due_at) as oldest_due_at
      from job_counts
      where ${p('collections')}::uuid[] is null or collection_node_id = any(${p('collections')}::uuid[])
      group by job_type, status),
    ranked as materialized (
      select job_type, row_number() over (
        order by min(oldest_due_at) filter (where oldest_due_at <= clock_timestamp()) nulls last, sum(jobs) desc, job_type) > ${p('most')}::int as beyond
      from found group by job_type)
    select case when not r.beyond then f.job_type end as type, f.status, least(sum(f.jobs), 2147483647)::int as jobs, bool_or(f.capped) as capped,
      min(f.oldest_due_at) as "oldestDueAt", (select count(*) from ranked where beyond)::int as "typesBeyond"
    from found f join ranked r using (job_type) group by 1, 2 order by 1, 2`,
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
  const rows = await runQuery(db, countsQuery({ collections: scopeIds(scope), most: mostTypes }))
  const [round] = await runQuery(db, roundsQuery({}))
  return { ...split(rows), countedAt: round?.countedAt ?? null, finishedCountedAt: round?.finishedAt ?? null, due: round?.due ?? false }
}

function split(rows: readonly Row[]): Pick<JobCounts, 'counts' | 'others'> {
  const [counts, others]: [CountedJobs[], OtherCounts['counts']] = [[], []]
  for (const { type, typesBeyond: _, ...count } of rows) {
    if (type === null) others.push(count)
    else counts.push({ type, ...count })
  }
  return { counts, others: others.length > 0 ? { types: rows[0]?.typesBeyond ?? 0, counts: others } : null }
}
