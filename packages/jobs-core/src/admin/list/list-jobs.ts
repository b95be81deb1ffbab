import { type Queryable, runQuery } from '../../database/queryable.ts'
import type { NamedQuery } from '../../database/statement.ts'
import { type Scope, scopeIds } from '../scope.ts'
import type { JobSummary } from './job-summary.ts'
import { encodeCursor } from './list-cursor.ts'
import { checkListOptions, type ListOptions, type ListParams } from './list-options.ts'
import { newestJobs } from './newest-jobs.ts'
import { type ListedRow, walks } from './walk-jobs.ts'

/** One page of jobs, newest first. */
export interface JobPage {
  jobs: JobSummary[]
  /**
   * Null when there are no more. A page may be short, or empty, and still have one: a filter looks at some 20,000 jobs at a time, and this is
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
  const rows = await runQuery(db, statementFor(params, scopeIds(scope)))
  const jobs = rows.filter((row) => row.id !== null)
  const page = jobs.slice(0, params.limit)
  return { jobs: page.map(toSummary), nextCursor: nextCursor(jobs, page, rows[0]) }
}

/** How many rows a filter looks at before it gives back what it has. */
const rowsToLookAt = 20_000

/** The way through the index that holds what is asked for and little else. */
function statementFor(params: ListParams, collections: readonly string[] | null): NamedQuery<ListedRow> {
  const { statuses, types, group, search } = params
  const filtered = types !== null || group !== null || search !== null
  const failedOnly = statuses?.length === 1 && statuses[0] === 'error'
  if (!filtered && (statuses === null || failedOnly)) return newestJobs(params, collections, failedOnly)
  const bound = { ...params, collections, looksAt: rowsToLookAt }
  if (failedOnly || (statuses === null && group !== null)) return walks.failed(bound)
  if (statuses?.every((status) => status === 'running' || status === 'pending' || status === 'retry')) return walks.unfinished(bound)
  return walks.all(bound)
}

function nextCursor(jobs: readonly ListedRow[], page: readonly ListedRow[], row: ListedRow | undefined): string | null {
  const last = page.at(-1)
  if (last && jobs.length > page.length) return encodeCursor({ createdAtUs: last.created_at_us, id: last.id })
  if (!row?.frontier_id || !row.frontier_us) return null
  return encodeCursor({ createdAtUs: row.frontier_us, id: row.frontier_id })
}

function toSummary({ created_at_us, frontier_us, frontier_id, ...job }: ListedRow): JobSummary {
  return job
}
