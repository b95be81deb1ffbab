import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { type Pause, type PauseRow, toPause } from './pause-target.ts'

const query = statement<{ collections: readonly string[] | null }, PauseRow>(
  'jobs_admin_list_pauses',
  (p) => sql`
    select job_type as type, collection_node_id as collection, paused_by as by, reason, paused_at as since
    from job_pauses
    where ${p('collections')}::uuid[] is null or collection_node_id is null or collection_node_id = any(${p('collections')}::uuid[])
    order by paused_at, id`,
)

/**
 * Lists what is paused, the oldest first: in the collections of the scope, and the types that are paused everywhere, since those hold up
 * the scope's jobs as well.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function listPauses(db: Queryable, scope: Scope): Promise<Pause[]> {
  return (await runQuery(db, query({ collections: scopeIds(scope) }))).map(toPause)
}
