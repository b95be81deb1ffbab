import { type Queryable, runQuery } from '../../database/queryable.ts'
import type { NamedQuery } from '../../database/statement.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { actedJobs } from './acted-jobs.ts'
import type { JobSummary } from './job-summary.ts'
import { encodeCursor, type Place } from './list-cursor.ts'
import { checkListOptions, type ListOptions, type ListParams } from './list-options.ts'
import { newestJobs } from './newest-jobs.ts'
import { type ListedRow, walks } from './walk-jobs.ts'

/** One page of jobs, newest first. */
export interface JobPage {
  jobs: JobSummary[]
  /**
   * Null when there are no more. A page may be short, or empty, and still have one: a filter looks at some 10,000 jobs at a time, and this is
   * where it goes on.
   */
  nextCursor: string | null
}

/**
 * Lists jobs, newest first, a page at a time, without their payloads and results. Reads a bounded number of rows, however many there are.
 * @throws PermanentError `LIST_LIMIT`, `LIST_OFFSET`, `LIST_STATUS`, `LIST_FILTER`, `CURSOR_INVALID`, `SCOPE_INVALID`
 */
export async function listJobs(db: Queryable, scope: Scope, options: ListOptions = {}): Promise<JobPage> {
  const params = checkListOptions(options)
  const collections = scopeIds(scope)
  const jobs: ListedRow[] = []
  let from = params
  for (const rowsToLookAt of params.offset > 0 ? offsetWindows : windows) {
    const rows = await runQuery(db, statementFor({ ...from, limit: params.limit - jobs.length }, collections, rowsToLookAt))
    jobs.push(...rows.filter((row) => row.id !== null))
    const frontier = frontierOf(rows[0])
    if (jobs.length > params.limit)
      return { jobs: jobs.slice(0, params.limit).map(toSummary), nextCursor: cursorOf(jobs[params.limit - 1]) }
    if (!frontier) return { jobs: jobs.map(toSummary), nextCursor: null }
    from = { ...params, after: frontier }
  }
  return { jobs: jobs.map(toSummary), nextCursor: from.after && encodeCursor(from.after) }
}

/** How many rows a filter looks at, of all collections together, before it gives back what it has: a few first, since most filters find enough in those. */
const windows = [1_000, 9_000]
const offsetWindows = [10_000]

/** The way through the index that holds what is asked for and little else. */
function statementFor(params: ListParams, collections: readonly string[] | null, looksAt: number): NamedQuery<ListedRow> {
  const { statuses, types, group, search } = params
  if (params.actor !== null) return actedJobs(params, collections)
  const filtered = types !== null || group !== null || search !== null
  const failedOnly = statuses?.length === 1 && statuses[0] === 'error'
  if (!filtered && (statuses === null || failedOnly)) return newestJobs(params, collections, failedOnly)
  const bound = { ...params, collections, looksAt }
  if (failedOnly || (statuses === null && group !== null)) return walks.failed(bound)
  if (statuses?.every((status) => status === 'running' || status === 'pending' || status === 'retry')) return walks.unfinished(bound)
  return walks.all(bound)
}

/** How far a filter has looked, where it has not seen all. */
function frontierOf(row: ListedRow | undefined): Place | null {
  return row?.frontier_id && row.frontier_us ? { createdAtUs: row.frontier_us, id: row.frontier_id } : null
}

function cursorOf(row: ListedRow | undefined): string | null {
  return row ? encodeCursor({ createdAtUs: row.created_at_us, id: row.id }) : null
}

function toSummary({ created_at_us, frontier_us, frontier_id, ...job }: ListedRow): JobSummary {
  return job
}
