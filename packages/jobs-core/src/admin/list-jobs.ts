import { type Kysely, sql } from 'kysely'
import { JOB_STATUSES, type JobStatus, type QueueDatabase } from '../database/tables.ts'
import { PermanentError } from '../errors/permanent-error.ts'
import { isUuid } from '../text/is-uuid.ts'
import { show } from '../text/show.ts'
import { type Job, nobody } from './get-job.ts'
import { type Scope, scopeIds } from './scope.ts'

/** Which jobs to list, and from where on. */
export interface ListOptions {
  /** Only jobs in this state. Default: any. */
  status?: JobStatus
  /** Only jobs of this type. Default: any. */
  type?: string
  /** 1 … 200. Default 50. */
  limit?: number
  /** Where the page before ended: its `nextCursor`. */
  cursor?: string
}

/** One page of jobs, newest first. */
export interface JobPage {
  jobs: Job[]
  /** Null on the last page. */
  nextCursor: string | null
}

const maxLimit = 200

/**
 * Lists jobs, newest first, a page at a time.
 * @throws PermanentError `LIST_LIMIT`, `LIST_STATUS`, `CURSOR_INVALID`
 */
export async function listJobs(db: Kysely<QueueDatabase>, scope: Scope, options: ListOptions = {}): Promise<JobPage> {
  const limit = options.limit ?? 50
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new PermanentError('LIST_LIMIT', `limit must be a whole number from 1 to ${maxLimit}, got ${limit}.`)
  }
  if (options.status !== undefined && !JOB_STATUSES.includes(options.status)) {
    throw new PermanentError('LIST_STATUS', `status must be one of ${JOB_STATUSES.join(', ')}, got ${show(options.status)}.`)
  }
  const collections = scopeIds(scope)
  let query = db
    .selectFrom('job_queue')
    .selectAll()
    .select(sql<string>`(extract(epoch from created_at) * 1000000)::bigint::text`.as('created_at_us'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (collections) query = query.where('collection_node_id', 'in', [...collections, nobody])
  if (options.type !== undefined) query = query.where('job_type', '=', options.type)
  // The planner cannot use an index on an enum's value under row-level security; `failed` has one of its own.
  if (options.status === 'error') query = query.where('failed', '=', true)
  else if (options.status !== undefined) query = query.where('status', '=', options.status)
  if (options.cursor !== undefined) {
    const { createdAtUs, id } = decodeCursor(options.cursor)
    query = query.where(
      sql<boolean>`(created_at, id) < ('epoch'::timestamptz + ${createdAtUs}::float8 * interval '1 microsecond', ${id}::uuid)`,
    )
  }
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    jobs: page.map(({ created_at_us, ...job }) => job),
    nextCursor: rows.length > limit && last ? encodeCursor(last.created_at_us, last.id) : null,
  }
}

/** The time in microseconds: JavaScript's dates have none, and jobs of one transaction differ in nothing else. */
function encodeCursor(createdAtUs: string, id: string): string {
  return Buffer.from(`${createdAtUs}|${id}`).toString('base64url')
}

function decodeCursor(cursor: string): { createdAtUs: string; id: string } {
  const [createdAtUs = '', id = ''] = Buffer.from(String(cursor), 'base64url').toString().split('|')
  if (/^-?\d{1,16}$/.test(createdAtUs) && isUuid(id)) return { createdAtUs, id }
  throw new PermanentError('CURSOR_INVALID', 'cursor must be the nextCursor of the page before. Leave it out to start from the newest job.')
}
