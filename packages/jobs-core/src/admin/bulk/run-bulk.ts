import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { QueueError } from '../../errors/queue-error.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { type BulkAction, bulkColumns } from './bulk-action.ts'

const runQueryText = statement<{ id: string; piece: number }, BulkAction>(
  'jobs_admin_run_bulk',
  (p) => sql`select ${bulkColumns} from run_bulk_action(${p('id')}::uuid, ${p('piece')}::int) b`,
)
const abortQuery = statement<{ id: string }, BulkAction>(
  'jobs_admin_abort_bulk',
  (p) => sql`select ${bulkColumns} from abort_bulk_action(${p('id')}::uuid) b`,
)
const getQuery = statement<{ id: string }, BulkAction>(
  'jobs_admin_get_bulk',
  (p) => sql`
    select ${bulkColumns} from job_bulk_actions b
    where b.id = ${p('id')}::uuid and coalesce(b.actor = nullif(current_setting('app.user_id', true), ''), nullif(current_setting('app.user_id', true), '') is null)`,
)

const defaultPiece = 100

/** How much at a time. */
export interface RunBulkOptions {
  /** Jobs in one transaction, 1 … 1,000. Default 100; fewer where the database is slow. */
  piece?: number
}

/**
 * Carries out the next jobs of a bulk action, a hundred if nothing else is said, in one transaction with its progress, and tells how far it is. Call it until `finishedAt` or
 * `abortedAt` is set; calling it again then, or from two places at once, does nothing twice. Each job is looked at anew: what has changed
 * since the preview is counted under the code of its refusal.
 * @throws QueueError `BULK_NOT_FOUND`, `BULK_EXPIRED` (a preview that was not begun in a quarter of an hour)
 */
export async function runBulk(db: Queryable, id: string, { piece = defaultPiece }: RunBulkOptions = {}): Promise<BulkAction> {
  const bulk = isUuid(id) ? (await runQuery(db, runQueryText({ id, piece })))[0] : undefined
  if (!bulk) throw notFound(id)
  if (bulk.startedAt === null && bulk.abortedAt === null) {
    throw new QueueError('BULK_EXPIRED', `The preview ${id} has expired. Make a new one: the jobs may have changed since.`)
  }
  return bulk
}

/**
 * Stops a bulk action before its next piece. What is done stays done.
 * @throws QueueError `BULK_NOT_FOUND`, also when it has ended
 */
export async function abortBulk(db: Queryable, id: string): Promise<BulkAction> {
  const bulk = isUuid(id) ? (await runQuery(db, abortQuery({ id })))[0] : undefined
  if (!bulk) throw notFound(id)
  return bulk
}

/**
 * Reads a bulk action: a preview, how far it is, or the receipt.
 * @throws QueueError `BULK_NOT_FOUND`, also for somebody else's
 */
export async function getBulk(db: Queryable, id: string): Promise<BulkAction> {
  const bulk = isUuid(id) ? (await runQuery(db, getQuery({ id })))[0] : undefined
  if (!bulk) throw notFound(id)
  return bulk
}

function notFound(id: string): QueueError {
  return new QueueError('BULK_NOT_FOUND', `There is no bulk action ${show(id)} of yours.`)
}
