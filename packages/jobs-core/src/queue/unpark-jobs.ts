import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ max: number }, { released: number; more: boolean }>(
  'jobs_unpark_jobs',
  (p) => sql`select released, more from unpark_jobs(${p('max')}::int)`,
)

/** Takes back into the queue what stands aside and is not paused any more: how many, and whether there may be others. */
export async function unparkJobs(queue: QueueConnection, max: number): Promise<{ released: number; more: boolean }> {
  const [row] = await queue.run(query({ max }))
  return row ?? { released: 0, more: false }
}
