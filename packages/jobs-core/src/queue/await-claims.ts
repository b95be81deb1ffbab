import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ id: string }, object>(
  'jobs_await_claims',
  (p) => sql`select id from job_workers where id = ${p('id')}::uuid for update`,
)

/** Waits until no claim of this worker is under way any more: a claim holds a lock on the worker's row until it commits. */
export async function awaitClaims(queue: QueueConnection, id: string): Promise<void> {
  await queue.run(query({ id }))
}
