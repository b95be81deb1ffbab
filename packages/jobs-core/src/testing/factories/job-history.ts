import type { Insertable } from 'kysely'
import type { Job } from '../../admin/get-job.ts'
import type { JobAttemptsTable } from '../../database/tables.ts'
import { FAILURE } from './job-row.ts'

/**
 * The rows of job_attempts a job must have behind it. Runs that are not charged were handed back, and come first; the others failed.
 * Of a job that runs or is completed, the newest run is none of them.
 */
export function historyOf(job: Job): Insertable<JobAttemptsTable>[] {
  const newest = job.status === 'running' || job.status === 'completed' ? 1 : 0
  const handedBack = job.run - job.attempts
  return Array.from({ length: job.run - newest }, (_, index) => {
    const failed = index >= handedBack
    return {
      ...{ job_id: job.id, run: index + 1, attempt: failed ? index + 1 - handedBack : 1, worker_id: null },
      ...{ started_at: job.created_at, ended_at: job.created_at, end_reason: failed ? ('failed' as const) : ('interrupted' as const) },
      ...{ error_code: null, error_msg: failed ? (job.error_msg ?? FAILURE) : null, error_stack: null },
    }
  })
}
