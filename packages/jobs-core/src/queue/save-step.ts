import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

export interface Step {
  id: string
  run: number
  name: string
  resultJson: string
}

/** The lock on the job's row keeps another worker from claiming it between the look and the insert. */
const query = statement<Step, { job_id: string }>(
  'jobs_save_step',
  (p) => sql`
    with mine as (
      select id from job_queue
      where id = ${p('id')}::uuid and run = ${p('run')}::int and status = 'running' for share)
    insert into job_steps (job_id, name, result, run)
    select id, ${p('name')}::text, ${p('resultJson')}::jsonb, ${p('run')}::int from mine
    on conflict (job_id, name) do update set result = excluded.result, run = excluded.run, created_at = clock_timestamp()
    returning job_id`,
)

/** Stores a step's result. False when the run is not this worker's any more. */
export async function saveStep(queue: QueueConnection, step: Step): Promise<boolean> {
  return (await queue.run(query(step))).length > 0
}
