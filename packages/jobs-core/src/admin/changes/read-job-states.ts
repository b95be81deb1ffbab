import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { type Scope, scopeIds } from '../scope.ts'

/** What of a job changes while somebody looks at it. */
export interface JobState {
  id: string
  /** Equal exactly if nothing that is shown has changed. */
  version: string
}

const query = statement<{ ids: readonly string[]; collections: readonly string[] | null }, JobState>(
  'jobs_admin_read_states',
  (p) => sql`
    select q.id, concat_ws('|', q.status, q.run, q.attempts, q.priority, extract(epoch from q.scheduled_for), extract(epoch from q.cancel_requested_at),
      q.progress, q.progress_text, q.prefetched, q.parked) as version
    from job_queue q
    where q.id = any(${p('ids')}::uuid[]) and (${p('collections')}::uuid[] is null or q.collection_node_id = any(${p('collections')}::uuid[]))`,
)

/** Reads how these jobs of the scope stand, by their ids. Whoever is missing is gone, or not to be seen any more. */
export async function readJobStates(db: Queryable, ids: readonly string[], scope: Scope): Promise<JobState[]> {
  return ids.length === 0 ? [] : runQuery(db, query({ ids, collections: scopeIds(scope) }))
}
