import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import type { Scope } from '../scope.ts'
import { checkTarget, type PauseTarget } from './pause-target.ts'

const query = statement<{ type: string | null; collection: string | null }, { ended: boolean }>(
  'jobs_admin_resume',
  (p) => sql`select resume_jobs(${p('type')}::text, ${p('collection')}::uuid) as ended`,
)

/**
 * Ends a pause: exactly that of this type, this collection, or this type within this collection; others go on. Workers look at once.
 * @returns false when it was not paused.
 * @throws PermanentError `PAUSE_INVALID`, `SCOPE_INVALID` · QueueError `PAUSE_OUT_OF_SCOPE`
 */
export async function resumeJobs(db: Queryable, target: PauseTarget, scope: Scope): Promise<boolean> {
  const [row] = await runQuery(db, query(checkTarget(target, scope)))
  return row?.ended === true
}
