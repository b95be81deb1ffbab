import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

interface Params {
  workerId: string
  /** From this number on: what lies before is forgotten already, and its dead rows are not walked again. */
  from: number
  /** The lowest number of a job that the worker may still hold. */
  to: number
}

const query = statement<Params, object>(
  'jobs_forget_starts',
  (p) => sql`
    delete from job_starts
    where worker_id = ${p('workerId')}::uuid and last_claim >= ${p('from')}::bigint and last_claim < ${p('to')}::bigint`,
)

/** Forgets what was noted of jobs that are over. */
export async function forgetStarts(queue: QueueConnection, params: Params): Promise<void> {
  await queue.run(query(params))
}
