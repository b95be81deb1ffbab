import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ id: string; idle: boolean }, object>(
  'jobs_mark_idle',
  (p) => sql`update job_workers set idle = ${p('idle')}::boolean where id = ${p('id')}::uuid and dead_at is null`,
)

/** Says whether the worker sleeps: only then do enqueues send it a notification. */
export async function markIdle(queue: QueueConnection, id: string, idle: boolean): Promise<void> {
  await queue.run(query({ id, idle }))
}
