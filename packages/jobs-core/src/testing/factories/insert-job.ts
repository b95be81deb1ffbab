import { sql } from 'kysely'
import type { Job } from '../../admin/get-job.ts'
import type { Queryable } from '../../database/queryable.ts'
import { builder, readRows } from '../read-rows.ts'
import { insertNode } from './insert-node.ts'
import { insertWorker } from './insert-worker.ts'
import { historyOf } from './job-history.ts'
import { completeJob, type JobColumns, type JobRow } from './job-row.ts'
import { refuseImpossible } from './refuse-impossible.ts'

/**
 * Inserts a job in any state, with what the queue would have left beside it: a running job has a live worker, one that failed its
 * attempts and their history. Every column may be given; what is not given follows from those that are. By default it waits and is due,
 * and without `collection_node_id` it gets a collection of its own.
 *
 * ```ts
 * await insertJob(db, { job_type: 'send_mail', payload: { to: 'ada@example.com' } })
 * await insertJob(db, { status: 'running' }) // a worker's row comes with it
 * await insertJob(db, { status: 'error', max_attempts: 5 }) // five attempts, five rows of history
 * ```
 *
 * @throws ConfigurationError `TEST_JOB_IMPOSSIBLE` when no job can have these columns.
 */
export async function insertJob(db: Queryable, columns: JobColumns = {}): Promise<Job> {
  const row = completeJob(columns)
  refuseImpossible(row)
  const collectionNodeId = columns.collection_node_id ?? (await insertNode(db)).id
  if (row.status === 'running' && columns.worker_id === undefined) {
    row.worker_id = (await insertWorker(db, { types: [row.job_type] })).id
  }
  const [job] = await readRows(db, builder().insertInto('job_queue').values(insertable(row, collectionNodeId)).returningAll().compile())
  const history = historyOf(job as Job)
  if (history.length > 0) await readRows(db, builder().insertInto('job_attempts').values(history).compile())
  return job as Job
}

/** Times that were left open are one moment, the insert's, which comes after that of a worker's row. */
function insertable({ created_at, started_at, completed_at, scheduled_for, ...rest }: JobRow, collectionNodeId: string) {
  const orNow = <Time>(time: Time | undefined) => (time === undefined ? sql<Date>`statement_timestamp()` : time)
  return {
    ...rest,
    ...{ created_at: orNow(created_at), started_at: orNow(started_at), completed_at: orNow(completed_at) },
    ...{ scheduled_for: orNow(scheduled_for), collection_node_id: collectionNodeId },
  }
}
