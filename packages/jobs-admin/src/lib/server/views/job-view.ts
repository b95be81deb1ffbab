import type { JobSummary, UserAccess } from '@sidelinja/jobs-core/admin'
import { maskSecrets } from '@sidelinja/jobs-core/admin'

/** A job as lists show it: the columns of job_queue but payload and result, the collection's name, and whether the user may act on it. */
export interface JobView extends Omit<JobSummary, 'created_at' | 'started_at' | 'completed_at' | 'scheduled_for' | 'cancel_requested_at'> {
  created_at: string
  started_at: string | null
  completed_at: string | null
  scheduled_for: string
  cancel_requested_at: string | null
  collection_title: string | null
  may_act: boolean
}

/** Texts were masked when they were stored; they are masked again, as rules grow and rows can come from elsewhere. */
export function viewJob(job: JobSummary, access: UserAccess): JobView {
  return {
    ...job,
    error_msg: shown(job.error_msg),
    progress_text: shown(job.progress_text),
    correlation_id: shown(job.correlation_id),
    unique_key: shown(job.unique_key),
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    completed_at: job.completed_at?.toISOString() ?? null,
    scheduled_for: job.scheduled_for.toISOString(),
    cancel_requested_at: job.cancel_requested_at?.toISOString() ?? null,
    collection_title: access.titles.get(job.collection_node_id) ?? null,
    may_act: access.act.includes(job.collection_node_id),
  }
}

const maxText = 4_000

/** A text that came from outside, without credentials and not without end. */
export function shown(text: string | null): string | null {
  if (text === null) return null
  const masked = maskSecrets(text.slice(0, 4 * maxText))
  return masked.length <= maxText ? masked : `${masked.slice(0, maxText).toWellFormed()} …`
}
