import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { jobNotFound, type Scope, scopeIds } from '../scope.ts'
import { type ActionNote, type ActionRow, checkNote, refusedAction } from './action.ts'
import { whenUnlocked } from './when-unlocked.ts'

interface Params {
  id: string
  collections: readonly string[] | null
  by: string | null
  reason: string | null
  giveUp: boolean
}

const query = statement<Params, ActionRow>(
  'jobs_admin_cancel',
  (p) => sql`
    select outcome, code, status
    from cancel_job(${p('id')}::uuid, ${p('collections')}::uuid[], ${p('by')}::text, ${p('reason')}::text, ${p('giveUp')}::boolean)`,
)

/**
 * Cancels a job: one that waits at once, one that runs as soon as its handler obeys. Its worker is told when this has committed, and looks
 * twice a second besides: the handler's signal aborts in less than a second. A result that is there before still counts. Each call leaves a row
 * in job_audit that commits with it, also when it is refused: a refusal is thrown only after that row was written, so catch it and commit.
 * @returns `cancelled`, or `requested` for a running job.
 * @throws JobNotFoundError `JOB_NOT_FOUND` · JobStateError `JOB_NOT_CANCELLABLE` (it is final already),
 * `JOB_LOCKED` (somebody else held its row for two seconds) · QueueError `JOB_FORBIDDEN` · PermanentError `SCOPE_INVALID`, `ACTION_NOTE`
 */
export async function cancelJob(db: Queryable, id: string, scope: Scope, note: ActionNote = {}): Promise<'cancelled' | 'requested'> {
  const params = { id, collections: scopeIds(scope), ...checkNote(note) }
  if (!isUuid(id)) throw jobNotFound(id)
  const row = await whenUnlocked(async (giveUp) => (await runQuery(db, query({ ...params, giveUp })))[0] as ActionRow)
  if (row.outcome === 'refused') throw refusedAction(id, 'cancel', row)
  return row.outcome === 'requested' ? 'requested' : 'cancelled'
}
