import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import type { Scope } from '../scope.ts'
import type { PauseNote } from './pause-jobs.ts'
import { checkTarget, checkText, type PauseTarget } from './pause-target.ts'

interface Params {
  type: string | null
  collection: string | null
  by: string | null
  reason: string | null
}

const query = statement<Params, { ended: boolean }>(
  'jobs_admin_resume',
  (p) => sql`select resume_jobs(${p('type')}::text, ${p('collection')}::uuid, ${p('by')}::text, ${p('reason')}::text) as ended`,
)

/**
 * Ends a pause: exactly that of this type, this collection, or this type within this collection; others go on. Workers look at once. Written down in job_audit.
 * @returns false when it was not paused.
 * @throws PermanentError `PAUSE_INVALID`, `SCOPE_INVALID` · QueueError `PAUSE_OUT_OF_SCOPE`
 */
export async function resumeJobs(db: Queryable, target: PauseTarget, scope: Scope, note: PauseNote = {}): Promise<boolean> {
  const noted = { by: checkText('by', note.by, 200), reason: checkText('reason', note.reason, 1_000) }
  const [row] = await runQuery(db, query({ ...checkTarget(target, scope), ...noted }))
  return row?.ended === true
}
