import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ ids: readonly string[] }, { id: string; run: number }>(
  'jobs_find_cancel_requests',
  (p) => sql`
    select id, run from job_queue
    where id = any(${p('ids')}::uuid[]) and cancel_requested_at is not null and status = 'running'`,
)

/** Which of these running jobs somebody wants stopped. */
export async function findCancelRequests(queue: QueueConnection, ids: readonly string[]): Promise<{ id: string; run: number }[]> {
  return ids.length === 0 ? [] : queue.run(query({ ids }))
}
