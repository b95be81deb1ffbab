import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'
import type { WakeMode } from '../database/tables.ts'

const query = statement<{ id: string; mode: WakeMode }, object>(
  'jobs_mark_wake_mode',
  (p) => sql`update job_workers set wake_mode = ${p('mode')}::text where id = ${p('id')}::uuid and dead_at is null`,
)

/** Says how the worker hears of new jobs. */
export async function markWakeMode(queue: QueueConnection, id: string, mode: WakeMode): Promise<void> {
  await queue.run(query({ id, mode }))
}
