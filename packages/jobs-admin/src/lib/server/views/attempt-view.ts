import type { JobAttempt } from '@sidelinja/jobs-core/admin'
import { shown } from './job-view.ts'

/** How a run ended, in the words of the HTTP interface. */
export function viewAttempt(attempt: JobAttempt) {
  return {
    run: attempt.run,
    attempt: attempt.attempt,
    worker_id: attempt.workerId,
    started_at: attempt.startedAt?.toISOString() ?? null,
    ended_at: attempt.endedAt.toISOString(),
    end_reason: attempt.end,
    error_code: attempt.errorCode,
    error_msg: shown(attempt.errorMessage),
    error_stack: shown(attempt.errorStack),
  }
}
