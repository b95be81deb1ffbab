import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ id: string }, { name: string; result: string }>(
  'jobs_load_steps',
  (p) => sql`select name, result::text as result from job_steps where job_id = ${p('id')}::uuid`,
)

/** The stored results of a job's steps, as JSON text by name. */
export async function loadSteps(queue: QueueConnection, id: string): Promise<Map<string, string>> {
  const rows = await queue.run(query({ id }))
  return new Map(rows.map((row) => [row.name, row.result]))
}
