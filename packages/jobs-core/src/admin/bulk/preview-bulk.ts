import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { type ActionNote, checkNote } from '../actions/action.ts'
import { listJobs } from '../list/list-jobs.ts'
import { checkFilter, type JobFilter } from '../list/list-options.ts'
import type { Scope } from '../scope.ts'
import { type BulkAction, bulkColumns } from './bulk-action.ts'

/** What to do with which jobs. */
export interface BulkRequest extends ActionNote {
  action: 'retry' | 'cancel'
  /** These jobs, 1 … 1,000; or else those of `filter`. */
  jobIds?: readonly string[] | undefined
  /** The newest 1,000 jobs of the scope that fit and are in a state that allows the action. */
  filter?: JobFilter | undefined
  /** Of a retry: forget the results of durable steps as well. Default false. */
  fresh?: boolean | undefined
}

interface Params {
  action: string
  ids: readonly string[]
  filter: string
  more: boolean
  fresh: boolean
  by: string | null
  reason: string | null
}

/** More at a time is another preview. */
const most = 1_000
const page = 200
/** A filter that finds little looks through so many pages of the list at most. */
const mostPages = 25
const states = { retry: ['error', 'cancelled', 'retry'], cancel: ['pending', 'retry', 'running'] } as const

const query = statement<Params, BulkAction>(
  'jobs_admin_freeze_bulk',
  (p) => sql`
    select ${bulkColumns} from freeze_bulk_action(${p('action')}::text, ${p('ids')}::uuid[], ${p('filter')}::jsonb, ${p('more')}::boolean,
      ${p('fresh')}::boolean, ${p('by')}::text, ${p('reason')}::text) b`,
)

/**
 * Freezes which jobs a bulk action is about, and does nothing to them yet: the person sees how many, and what is carried out later is that and no more,
 * whatever the filter would find by then.
 * @throws PermanentError `BULK_INVALID`, `LIST_STATUS`, `LIST_FILTER`, `ACTION_NOTE`, `SCOPE_INVALID`
 */
export async function previewBulk(db: Queryable, scope: Scope, request: BulkRequest): Promise<BulkAction> {
  const { action, jobIds, filter, fresh = false, ...note } = request
  if (action !== 'retry' && action !== 'cancel') throw invalid("action to be 'retry' or 'cancel'", action)
  if ((jobIds === undefined) === (filter === undefined)) throw invalid('either jobIds or filter', jobIds === undefined ? 'neither' : 'both')
  const noted = checkNote(note)
  const chosen = jobIds === undefined ? await findJobs(db, scope, action, filter ?? {}) : { ids: checkIds(jobIds), more: false }
  const params = { action, ids: chosen.ids, filter: JSON.stringify(filter ?? {}), more: chosen.more, fresh: action === 'retry' && fresh }
  const [bulk] = await runQuery(db, query({ ...params, ...noted }))
  return bulk as BulkAction
}

function checkIds(ids: readonly string[]): string[] {
  if (!Array.isArray(ids) || ids.length < 1 || ids.length > most)
    throw invalid(`1 to ${most} jobIds`, Array.isArray(ids) ? ids.length : ids)
  const stranger = ids.find((id) => !isUuid(id))
  if (stranger !== undefined) throw invalid('jobIds to be uuids', stranger)
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

async function findJobs(
  db: Queryable,
  scope: Scope,
  action: 'retry' | 'cancel',
  filter: JobFilter,
): Promise<{ ids: string[]; more: boolean }> {
  const { statuses } = checkFilter(filter)
  const allowed = states[action].filter((status) => statuses === null || statuses.includes(status))
  const ids: string[] = []
  let cursor: string | null = null
  if (allowed.length === 0) return { ids, more: false }
  for (let pages = 0; pages < mostPages; pages++) {
    const listed = await listJobs(db, scope, { ...filter, status: allowed, limit: page, ...(cursor === null ? {} : { cursor }) })
    ids.push(...listed.jobs.map((job) => job.id))
    cursor = listed.nextCursor
    if (cursor === null || ids.length >= most) break
  }
  return { ids: ids.slice(0, most), more: cursor !== null || ids.length > most }
}

function invalid(expected: string, got: unknown): PermanentError {
  return new PermanentError('BULK_INVALID', `Expected ${expected}, got ${show(got)}.`)
}
