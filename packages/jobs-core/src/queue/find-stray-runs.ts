import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ id: string; known: readonly string[] }, { id: string; run: number; attempts: number }>(
  'jobs_find_stray_runs',
  (p) => sql`
    select q.id, q.run, q.attempts from job_workers w join job_queue q
      on not q.ready and q.worker_id = w.id and q.claim >= w.held_from and q.status = 'running'
    where w.id = ${p('id')}::uuid and not (q.id = any(${p('known')}::uuid[]))`,
)

/** Runs the database holds for this worker and the worker does not know: their claim committed, but the answer was lost. */
export async function findStrayRuns(
  queue: QueueConnection,
  id: string,
  known: readonly string[],
): Promise<{ id: string; run: number; attempts: number }[]> {
  return queue.run(query({ id, known }))
}
