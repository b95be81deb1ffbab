import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

interface Params {
  workerId: string
  /** The first number of a claim to look among. */
  from: number
  /** The first that is not looked among any more. */
  to: number
}

export interface ForgottenRun {
  id: string
  run: number
}

/** How many are found at a time. */
export const MAX_FORGOTTEN = 100

const query = statement<Params, ForgottenRun>(
  'jobs_find_forgotten_runs',
  (p) => sql`
    select q.id, q.run from job_queue q
    where not q.ready and q.worker_id = ${p('workerId')}::uuid and q.claim >= ${p('from')}::bigint and q.claim < ${p('to')}::bigint
      and q.status = 'running'
    order by q.claim limit ${sql.lit(MAX_FORGOTTEN)}`,
)

/** Jobs that still run by a claim of which this worker believes that everything has ended. */
export async function findForgottenRuns(queue: QueueConnection, params: Params): Promise<ForgottenRun[]> {
  return queue.run(query(params))
}
