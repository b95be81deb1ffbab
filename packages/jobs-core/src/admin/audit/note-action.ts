import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { type ActionNote, checkNote } from '../actions/action.ts'
import type { AuditAction } from './list-audit.ts'

/** An action that no statement of its own writes down. */
export interface NotedAction extends ActionNote {
  action: AuditAction
  /** Why it was refused. Left out: it was done, which only `read_raw` and `summarize` can be noted as. */
  refused?: string | undefined
  jobId?: string | undefined
  type?: string | undefined
  collectionNodeId?: string | undefined
}

interface Params {
  action: string
  refused: string | null
  job: string | null
  by: string | null
  reason: string | null
  type: string | null
  collection: string | null
}

const query = statement<Params, { noted: boolean }>(
  'jobs_admin_note_action',
  (p) => sql`
    select note_job_action(${p('action')}::text, ${p('refused')}::text, ${p('job')}::uuid, ${p('by')}::text, ${p('reason')}::text, ${p('type')}::text,
      ${p('collection')}::uuid) as noted`,
)

/**
 * Writes down in job_audit that somebody looked at a job's unmasked payload, ordered a summary, or was refused something. Commits with the transaction.
 * @returns false when there is no such job that the user may see: then nothing was noted, and nothing may be shown.
 * @throws PermanentError `ACTION_NOTE`
 */
export async function noteAction(
  trx: Queryable,
  { action, refused, jobId, type, collectionNodeId, ...note }: NotedAction,
): Promise<boolean> {
  const about = { job: jobId ?? null, type: type ?? null, collection: collectionNodeId ?? null }
  const [row] = await runQuery(trx, query({ action, refused: refused ?? null, ...about, ...checkNote(note) }))
  return row?.noted === true
}
