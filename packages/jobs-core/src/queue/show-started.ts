import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ ids: string[]; runs: number[] }, object>(
  'jobs_show_started',
  (p) => sql`
    update job_queue q set prefetched = false
    from unnest(${p('ids')}::uuid[], ${p('runs')}::int[]) s (id, run)
    where q.id = s.id and q.run = s.run and q.status = 'running' and q.prefetched`,
)

/** Clears the flag of jobs that were claimed ahead and have started, for those who read the rows. */
export async function showStarted(queue: QueueConnection, runs: readonly { id: string; run: number }[]): Promise<void> {
  await queue.run(query({ ids: runs.map(({ id }) => id), runs: runs.map(({ run }) => run) }))
}
