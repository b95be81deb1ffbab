import type { Kysely, Selectable } from 'kysely'
import type { JobQueueTable, JobStatus, QueueDatabase } from '../database/tables.ts'

/** What to wait for, and how long. */
export interface WaitOptions {
  /** Which statuses end the wait. Default: the final ones, completed, error and cancelled. */
  status?: JobStatus | readonly JobStatus[]
  /** How long, in milliseconds. Default 10,000. */
  timeoutMs?: number
}

const finalStatuses: readonly JobStatus[] = ['completed', 'error', 'cancelled']
const lookEveryMs = 10

/** Waits until a job has one of the statuses and returns its row. */
export async function waitForJob(db: Kysely<QueueDatabase>, id: string, options: WaitOptions = {}): Promise<Selectable<JobQueueTable>> {
  const wanted = options.status === undefined ? finalStatuses : [options.status].flat()
  const timeoutMs = options.timeoutMs ?? 10_000
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const job = await db.selectFrom('job_queue').selectAll().where('id', '=', id).executeTakeFirst()
    if (job && wanted.includes(job.status)) return job
    if (performance.now() > deadline) {
      const found = job
        ? `${job.status} (attempt ${job.attempts}/${job.max_attempts}${job.error_msg ? `, ${job.error_msg}` : ''})`
        : 'no such job'
      throw new Error(`Job ${id} was not ${wanted.join(' or ')} after ${timeoutMs} ms: ${found}`)
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}
