import { sql } from 'kysely'
import { type Queryable, runQuery } from '../database/queryable.ts'
import { sqlState } from '../database/sql-state.ts'
import { statement } from '../database/statement.ts'
import type { JobStatus } from '../database/tables.ts'
import { JobStateError } from '../errors/queue-error.ts'
import { isUuid } from '../text/is-uuid.ts'
import { jobNotFound, type Scope, scopeIds } from './scope.ts'
import { type LockAware, whenUnlocked } from './when-unlocked.ts'

interface Params {
  id: string
  collections: readonly string[] | null
  fresh: boolean
}

interface Row extends LockAware {
  found: JobStatus | null
  status: JobStatus | null
}

const uniqueViolation = '23505'

/** The key is taken again, if the job has one; the unique index says whether somebody else holds it by now. */
const query = statement<Params, Row>(
  'jobs_admin_retry',
  (p) => sql`
    with seen as materialized (
      select id, run, attempts, worker_id, started_at, status from job_queue
      where id = ${p('id')}::uuid and (${p('collections')}::uuid[] is null or collection_node_id = any(${p('collections')}::uuid[]))
      for no key update skip locked),
    again as (
      update job_queue q
      set status = 'pending', attempts = 0, snoozes = 0, scheduled_for = clock_timestamp(), completed_at = null,
        cancel_requested_at = null, parked = false, unique_held = q.unique_key is not null and q.unique_until is not null
      from seen s
      where q.id = s.id and s.status in ('error', 'cancelled', 'retry')
      returning q.id, q.status, q.job_type),
    noted as (
      insert into job_attempts (job_id, run, attempt, worker_id, started_at, end_reason)
      select s.id, s.run, s.attempts, s.worker_id, s.started_at, 'retried_by_admin' from seen s join again using (id)),
    anew as (delete from job_steps t using again a where t.job_id = a.id and ${p('fresh')}::boolean),
    woken as (select wake_idle_workers(array_agg(a.job_type)) from again a having count(*) > 0)
    select exists (select from job_queue where id = ${p('id')}::uuid and (${p('collections')}::uuid[] is null or collection_node_id = any(${p('collections')}::uuid[]))) as present,
      exists (select from seen) as held, (select status from seen) as found, (select status from again) as status
    where (select count(*) from woken) >= 0`,
)

/**
 * Makes a failed, cancelled or waiting-to-retry job due now, with all its attempts before it; its history stays.
 * @param fresh true: forget the results of durable steps as well. Default false: what was paid for is not paid for again.
 * @throws JobNotFoundError `JOB_NOT_FOUND` · JobStateError `JOB_NOT_RETRYABLE` (it runs, waits or is completed), `UNIQUE_KEY_TAKEN`,
 * `JOB_LOCKED` (somebody else held its row for two seconds)
 */
export async function retryJob(db: Queryable, id: string, scope: Scope, { fresh = false }: { fresh?: boolean } = {}): Promise<void> {
  const params = { id, collections: scopeIds(scope), fresh }
  if (!isUuid(id)) throw jobNotFound(id)
  const row = await whenUnlocked(id, async () => (await runRetry(db, params))[0])
  if (row?.status) return
  if (!row?.found) throw jobNotFound(id)
  throw new JobStateError(
    'JOB_NOT_RETRYABLE',
    `Job ${id} is ${row.found}; only jobs that are error, cancelled or retry can be tried again.`,
  )
}

async function runRetry(db: Queryable, params: Params): Promise<Row[]> {
  try {
    return await runQuery(db, query(params))
  } catch (cause) {
    if (sqlState(cause) !== uniqueViolation) throw cause
    throw new JobStateError('UNIQUE_KEY_TAKEN', `Job ${params.id} cannot be tried again: another job holds its unique key now.`, { cause })
  }
}
