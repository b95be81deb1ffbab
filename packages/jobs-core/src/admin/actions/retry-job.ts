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
  fresh: boolean
  by: string | null
  reason: string | null
  giveUp: boolean
}

/** How to retry, and what the audit says about it. */
export interface RetryOptions extends ActionNote {
  /** True: forget the results of durable steps as well. Default false: what was paid for is not paid for again. */
  fresh?: boolean
}

const query = statement<Params, ActionRow>(
  'jobs_admin_retry',
  (p) => sql`
    select outcome, code, status
    from retry_job(${p('id')}::uuid, ${p('collections')}::uuid[], ${p('fresh')}::boolean, ${p('by')}::text, ${p('reason')}::text, ${p('giveUp')}::boolean)`,
)

/**
 * Makes a failed, cancelled or waiting-to-retry job due now, with all its attempts before it; its history stays. Each call leaves a row in
 * job_audit that commits with it, also when it is refused: a refusal is thrown only after that row was written, so catch it and commit.
 * @throws JobNotFoundError `JOB_NOT_FOUND` · JobStateError `JOB_NOT_RETRYABLE` (it runs, waits or is completed), `UNIQUE_KEY_TAKEN`,
 * `JOB_LOCKED` (somebody else held its row for two seconds) · QueueError `JOB_FORBIDDEN` · PermanentError `SCOPE_INVALID`, `ACTION_NOTE`
 */
export async function retryJob(db: Queryable, id: string, scope: Scope, options: RetryOptions = {}): Promise<void> {
  const params = { id, collections: scopeIds(scope), fresh: options.fresh ?? false, ...checkNote(options) }
  if (!isUuid(id)) throw jobNotFound(id)
  const row = await whenUnlocked(async (giveUp) => (await runQuery(db, query({ ...params, giveUp })))[0] as ActionRow)
  if (row.outcome === 'refused') throw refusedAction(id, 'retry', row)
}
