import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/*
 * A statement of its own: its snapshot must be younger than every settle and rescue that rescueJobs had to skip. The offset keeps the
 * planner from making a join of it, which reads the index from end to end.
 */
const query = statement<object, { id: string }>(
  'jobs_close_rescued_workers',
  () => sql`
    update job_workers w set rescued_at = clock_timestamp()
    where w.dead_at is not null and w.rescued_at is null and not exists (
      select from job_queue j
      where not j.ready and j.worker_id = w.id and j.claim >= w.held_from and j.status = 'running'
      offset 0)
    returning w.id`,
)

/** Marks dead workers that have no running job left. Returns how many. */
export async function closeRescuedWorkers(queue: QueueConnection): Promise<number> {
  return (await queue.run(query({}))).length
}
