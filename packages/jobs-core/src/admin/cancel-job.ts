import { sql } from 'kysely'
import { type Queryable, runQuery } from '../database/queryable.ts'
import { statement } from '../database/statement.ts'
import type { JobStatus } from '../database/tables.ts'
import { JobStateError } from '../errors/queue-error.ts'
import { isUuid } from '../text/is-uuid.ts'
import { jobNotFound, type Scope, scopeIds } from './scope.ts'
import { type LockAware, whenUnlocked } from './when-unlocked.ts'

interface Params {
  id: string
  collections: readonly string[] | null
}

interface Row extends LockAware {
  found: JobStatus | null
  cancelled: boolean
  requested: boolean
}

const query = statement<Params, Row>(
  'jobs_admin_cancel',
  (p) => sql`
    with seen as materialized (
      select id, status from job_queue
      where id = ${p('id')}::uuid and (${p('collections')}::uuid[] is null or collection_node_id = any(${p('collections')}::uuid[]))
      for no key update skip locked),
    cancelled as (
      update job_queue q
      set status = 'cancelled', completed_at = clock_timestamp(), unique_held = false, cancel_requested_at = null, parked = false,
        error_msg = coalesce(q.error_msg, 'Cancelled on request.')
      from seen s where q.id = s.id and s.status in ('pending', 'retry')
      returning q.id),
    requested as (
      update job_queue q set cancel_requested_at = coalesce(q.cancel_requested_at, clock_timestamp())
      from seen s where q.id = s.id and s.status = 'running'
      returning q.id),
    told as (select pg_notify('job_queue_cancel', '') from requested)
    select exists (select from job_queue where id = ${p('id')}::uuid and (${p('collections')}::uuid[] is null or collection_node_id = any(${p('collections')}::uuid[]))) as present,
      exists (select from seen) as held, (select status from seen) as found, exists (select from cancelled) as cancelled,
      exists (select from requested) as requested
    where (select count(*) from told) >= 0`,
)

/**
 * Cancels a job: one that waits at once, one that runs as soon as its handler obeys. Its worker is told when this has committed, and looks
 * twice a second besides: the handler's signal aborts in less than a second. A result that is there before still counts.
 * @returns `cancelled`, or `requested` for a running job.
 * @throws JobNotFoundError `JOB_NOT_FOUND` · JobStateError `JOB_NOT_CANCELLABLE` (it is final already),
 * `JOB_LOCKED` (somebody else held its row for two seconds)
 */
export async function cancelJob(db: Queryable, id: string, scope: Scope): Promise<'cancelled' | 'requested'> {
  const params = { id, collections: scopeIds(scope) }
  if (!isUuid(id)) throw jobNotFound(id)
  const row = await whenUnlocked(id, async () => (await runQuery(db, query(params)))[0])
  if (row?.cancelled) return 'cancelled'
  if (row?.requested) return 'requested'
  if (!row?.found) throw jobNotFound(id)
  throw new JobStateError('JOB_NOT_CANCELLABLE', `Job ${id} is ${row.found} already.`)
}
