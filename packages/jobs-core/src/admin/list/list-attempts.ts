import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import type { AttemptEnd } from '../../database/tables.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { type Scope, scopeIds } from '../scope.ts'

/** A run of a job that did not simply succeed, or that was followed by a person's retry. */
export interface JobAttempt {
  run: number
  /** The number it counted as. */
  attempt: number
  workerId: string | null
  startedAt: Date | null
  endedAt: Date
  end: AttemptEnd
  errorCode: string | null
  errorMessage: string | null
  /** The stack, its own frames first; capped when it was stored. */
  errorStack: string | null
}

/** More than this many are not shown: the newest are. */
const most = 200

const query = statement<{ id: string; collections: readonly string[] | null }, JobAttempt>(
  'jobs_admin_list_attempts',
  (p) => sql`
    select a.run, a.attempt, a.worker_id as "workerId", a.started_at as "startedAt", a.ended_at as "endedAt", a.end_reason as "end",
      a.error_code as "errorCode", a.error_msg as "errorMessage", a.error_stack as "errorStack"
    from job_attempts a join job_queue q on q.id = a.job_id
    where a.job_id = ${p('id')}::uuid and (${p('collections')}::uuid[] is null or q.collection_node_id = any(${p('collections')}::uuid[]))
    order by a.run desc, a.id desc limit ${sql.lit(most)}`,
)

/**
 * Lists how the runs of a job ended, the newest first, at most 200: none for a job outside the scope. A run that succeeded has no row.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function listAttempts(db: Queryable, id: string, scope: Scope): Promise<JobAttempt[]> {
  const collections = scopeIds(scope)
  return isUuid(id) ? runQuery(db, query({ id, collections })) : []
}
