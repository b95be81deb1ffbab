import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/** The offset keeps the planner from making a join of it, which reads the index from end to end. */
const query = statement<{ id: string }, object>(
  'jobs_deregister_worker',
  (p) => sql`
    with gone as (
      delete from job_workers w
      where w.id = ${p('id')}::uuid and not exists (
        select from job_queue j
        where not j.ready and j.worker_id = w.id and j.claim >= w.held_from and j.status = 'running'
        offset 0)
      returning w.id)
    update job_workers w set lease_expires_at = clock_timestamp(), draining = true
    where w.id = ${p('id')}::uuid and w.dead_at is null and not exists (select from gone)`,
)

/** Ends a registration. A worker that still has running jobs keeps its row, its lease ends at once, and others rescue the jobs. */
export async function deregisterWorker(queue: QueueConnection, id: string): Promise<void> {
  await queue.run(query({ id }))
}
