import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ id: string }, object>(
  'jobs_mark_draining',
  (p) => sql`update job_workers set draining = true, idle = false where id = ${p('id')}::uuid and dead_at is null`,
)

/** Says that the worker stops: it takes no more jobs and wants no notifications. */
export async function markDraining(queue: QueueConnection, id: string): Promise<void> {
  await queue.run(query({ id }))
}
