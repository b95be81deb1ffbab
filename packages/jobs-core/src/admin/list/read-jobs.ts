import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { type JobSummary, summaryColumns } from './job-summary.ts'

const query = statement<{ ids: readonly string[]; collections: readonly string[] | null }, JobSummary>(
  'jobs_admin_read_jobs',
  (p) => sql`
    select ${summaryColumns} from job_queue q
    where q.id = any(${p('ids')}::uuid[]) and (${p('collections')}::uuid[] is null or q.collection_node_id = any(${p('collections')}::uuid[]))
    order by q.created_at desc, q.id desc`,
)

const most = 200

/**
 * Reads these jobs of the scope as a list shows them, newest first. Whoever is missing is gone, or not to be seen any more.
 * @throws PermanentError `LIST_FILTER` for more than 200 ids, or one that is no uuid; `SCOPE_INVALID`
 */
export async function readJobs(db: Queryable, ids: readonly string[], scope: Scope): Promise<JobSummary[]> {
  if (ids.length > most || !ids.every(isUuid)) {
    throw new PermanentError('LIST_FILTER', `Expected ids to be up to ${most} uuids, got ${ids.length}.`)
  }
  return ids.length === 0 ? [] : runQuery(db, query({ ids, collections: scopeIds(scope) }))
}
