import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'
import type { JobStatus } from '../database/tables.ts'

export interface RescuedJob {
  id: string
  run: number
  job_type: string
  collection_node_id: string
  status: JobStatus
}

const message = 'The worker that ran this job stopped renewing its lease: it was killed, lost its machine or its connection.'

/*
 * Rows that somebody is settling right now are skipped, not overwritten. What was only prefetched, and not cleared to start since, gets
 * its attempt back; what had started keeps it, so a job that kills its worker is run max_attempts times and no more.
 */
const query = statement<object, RescuedJob>(
  'jobs_rescue',
  () => sql`
    with dead as materialized (
      select id, held_from from job_workers
      where dead_at is not null and rescued_at is null
      order by id for no key update skip locked),
    lost as materialized (
      select j.* from dead d, lateral (
        select q.id, q.run, q.attempts, q.worker_id, q.started_at,
          q.prefetched and not exists (
            select from job_starts s where s.worker_id = d.id and s.last_claim >= q.claim and q.claim <@ s.claims) as prefetched
        from job_queue q
        where not q.ready and q.worker_id = d.id and q.claim >= d.held_from and q.status = 'running'
        order by q.claim limit 500
        for update skip locked) j),
    rescued as (
      update job_queue q
      set status = (case
            when q.cancel_requested_at is not null then 'cancelled'
            when l.prefetched then case when q.attempts <= 1 then 'pending' else 'retry' end
            when q.attempts >= q.max_attempts then 'error'
            else 'retry'
          end)::job_status,
        attempts = case when l.prefetched then greatest(q.attempts - 1, 0) else q.attempts end,
        rescues = least(q.rescues, 32766) + 1,
        scheduled_for = clock_timestamp(),
        completed_at = case
            when q.cancel_requested_at is not null or (not l.prefetched and q.attempts >= q.max_attempts) then clock_timestamp()
          end,
        unique_held = q.unique_held and q.cancel_requested_at is null and (l.prefetched or q.attempts < q.max_attempts),
        error_msg = case when l.prefetched then q.error_msg else ${sql.lit(message)} end,
        error_group = case when l.prefetched then q.error_group else md5(q.job_type || ' LEASE_EXPIRED') end,
        worker_id = null, cancel_requested_at = null, prefetched = false
      from lost l
      where q.id = l.id
      returning q.id, q.run, q.status, q.job_type, q.collection_node_id),
    noted as (
      insert into job_attempts (job_id, run, attempt, worker_id, started_at, end_reason, error_code, error_msg)
      select l.id, l.run, l.attempts, l.worker_id, l.started_at, 'lease_expired', 'LEASE_EXPIRED', ${sql.lit(message)}
      from lost l join rescued r using (id)
      where not l.prefetched),
    woken as (select wake_idle_workers(array_agg(distinct r.job_type)) from rescued r having count(*) > 0)
    select r.id, r.run, r.job_type, r.collection_node_id, r.status from rescued r where (select count(*) from woken) >= 0`,
)

/** Takes back running jobs of dead workers, at most 500 a worker at a time. */
export async function rescueJobs(queue: QueueConnection): Promise<RescuedJob[]> {
  return queue.run(query({}))
}
