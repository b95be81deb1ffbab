import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { isCollectionRefused } from '../../queue/explain-refusal.ts'
import type { Scope } from '../scope.ts'
import { checkTarget, checkText, outOfScope, type Pause, type PauseRow, type PauseTarget, toPause } from './pause-target.ts'

interface Params {
  type: string | null
  collection: string | null
  by: string | null
  reason: string | null
}

/** What is kept beside a pause, for whoever wonders. */
export interface PauseNote {
  /** Who pauses it, 1 … 200 characters. Default: nobody is named. */
  by?: string | undefined
  /** Why, 1 … 1,000 characters. Default: none is given. */
  reason?: string | undefined
}

const query = statement<Params, PauseRow>(
  'jobs_admin_pause',
  (p) => sql`
    select job_type as type, collection_node_id as collection, paused_by as by, reason, paused_at as since
    from pause_jobs(${p('type')}::text, ${p('collection')}::uuid, ${p('by')}::text, ${p('reason')}::text)`,
)

/**
 * Pauses a job type, a collection, or a type within a collection: no claim that begins after this has committed takes such a job. What runs
 * goes on; what a worker had claimed ahead runs within about 20 ms, or is handed back a quarter of a second later. Pausing what is paused
 * changes nothing.
 * @returns the pause as it stands: of one that was there before, by whom, why and since when.
 * @throws PermanentError `PAUSE_INVALID`, `SCOPE_INVALID` · QueueError `PAUSE_OUT_OF_SCOPE`
 */
export async function pauseJobs(db: Queryable, target: PauseTarget, scope: Scope, note: PauseNote = {}): Promise<Pause> {
  const what = checkTarget(target, scope)
  const params = { ...what, by: checkText('by', note.by, 200), reason: checkText('reason', note.reason, 1_000) }
  const [row] = await runQuery(db, query(params)).catch((error) => {
    throw isCollectionRefused(error, 'job_pauses') ? outOfScope(what, error) : error
  })
  return toPause(row as PauseRow)
}
