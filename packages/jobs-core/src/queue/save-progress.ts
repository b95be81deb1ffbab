import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

export interface Progress {
  id: string
  run: number
  fraction: number
  text: string | null
}

const query = statement<Progress, object>(
  'jobs_save_progress',
  (p) => sql`
    update job_queue set progress = ${p('fraction')}::real, progress_text = ${p('text')}::text
    where id = ${p('id')}::uuid and run = ${p('run')}::int and status = 'running'`,
)

/** Shows how far a run is; does nothing for a run that is over. */
export async function saveProgress(queue: QueueConnection, progress: Progress): Promise<void> {
  await queue.run(query(progress))
}
