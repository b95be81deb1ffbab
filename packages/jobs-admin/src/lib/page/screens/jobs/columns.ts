import type { JobRow } from '../../wire/bodies.ts'

/** A column of the list: a column of job_queue, or something worked out of them. */
export type Column = Exclude<keyof JobRow, 'may_act' | 'collection_title'> | 'waited' | 'ran'

/** All columns, in the order of the list and of the chooser. */
export const COLUMNS = [
  ...['status', 'job_type', 'collection_node_id', 'attempts', 'created_at', 'waited', 'ran', 'error_msg', 'scheduled_for', 'priority'],
  ...['started_at', 'completed_at', 'id', 'worker_id', 'run', 'max_attempts', 'progress', 'progress_text', 'correlation_id', 'traceparent'],
  ...['error_group', 'unique_key', 'unique_until', 'unique_held', 'rescues', 'snoozes', 'cancel_requested_at', 'prefetched', 'parked'],
  ...['sequence', 'claim', 'ready', 'failed'],
] as readonly Column[]

const usual: readonly Column[] = [
  'status',
  'job_type',
  'collection_node_id',
  'attempts',
  'created_at',
  'waited',
  'ran',
  'error_msg',
  'scheduled_for',
]

/** The columns to show: those chosen that there are, or the usual ones. Pure. */
export function shownColumns(chosen: readonly string[]): readonly Column[] {
  const known = COLUMNS.filter((column) => chosen.includes(column))
  return known.length > 0 ? known : usual
}

/** How long it waited before its newest run, or waits now; null where it is not known, and of what is not due. Pure. */
export function waitedMs(job: JobRow, now: number): number | null {
  const dueAt = Math.max(Date.parse(job.created_at), job.attempts <= 1 ? Date.parse(job.scheduled_for) : 0)
  if (job.status === 'pending' || job.status === 'retry') {
    const waited = now - Math.max(dueAt, Date.parse(job.scheduled_for))
    return waited < 0 ? null : waited
  }
  return job.started_at === null ? null : Math.max(0, Date.parse(job.started_at) - dueAt)
}

/** How long its newest run took, or has taken until now; null where there was none. Pure. */
export function ranMs(job: JobRow, now: number): number | null {
  if (job.started_at === null || job.status === 'pending' || job.status === 'retry') return null
  const end = job.status === 'running' ? now : job.completed_at === null ? null : Date.parse(job.completed_at)
  return end === null ? null : Math.max(0, end - Date.parse(job.started_at))
}
