import { sql } from 'kysely'
import type { Job } from '../get-job.ts'

/** A row of job_queue without what may be large: payload and result are read one job at a time. */
export type JobSummary = Omit<Job, 'payload' | 'result'>

const columns = [
  ...['id', 'collection_node_id', 'job_type', 'status', 'priority', 'error_msg', 'error_group', 'attempts', 'max_attempts', 'created_at'],
  ...['started_at', 'completed_at', 'scheduled_for', 'run', 'worker_id', 'prefetched', 'rescues', 'snoozes', 'sequence', 'unique_key'],
  ...[
    'unique_until',
    'unique_held',
    'cancel_requested_at',
    'correlation_id',
    'traceparent',
    'progress',
    'progress_text',
    'claim',
    'parked',
  ],
  ...['ready', 'failed'],
] as const satisfies readonly (keyof JobSummary)[]

/** What is not named here is missing in lists. */
type Missing = Exclude<keyof JobSummary, (typeof columns)[number]>
const complete: [Missing] extends [never] ? true : Missing = true

/** The columns of a {@link JobSummary}, of `job_queue q`. */
export const summaryColumns = sql.raw(complete && columns.map((column) => `q.${column}`).join(', '))
