// What the JSON endpoints answer, as the page reads it. The server's answers are checked against these types where the page's data is made.

/** The state of a job. */
export type Status = 'pending' | 'running' | 'completed' | 'error' | 'retry' | 'cancelled'

/** All states, in the order in which the page shows them. */
export const STATUSES = ['running', 'pending', 'retry', 'error', 'completed', 'cancelled'] as const satisfies readonly Status[]

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A row of the list: every column of job_queue but payload and result. */
export interface JobRow {
  id: string
  collection_node_id: string
  collection_title: string | null
  may_act: boolean
  job_type: string
  status: Status
  priority: number
  error_msg: string | null
  error_group: string | null
  attempts: number
  max_attempts: number
  created_at: string
  started_at: string | null
  completed_at: string | null
  scheduled_for: string
  run: number
  worker_id: string | null
  prefetched: boolean
  rescues: number
  snoozes: number
  sequence: string
  unique_key: string | null
  unique_until: 'claimed' | 'finished' | null
  unique_held: boolean
  cancel_requested_at: string | null
  correlation_id: string | null
  traceparent: string | null
  progress: number | null
  progress_text: string | null
  claim: string
  parked: boolean
  ready: boolean
  failed: boolean
}

/** `GET {base}` */
export interface JobsBody {
  jobs: readonly JobRow[]
  next_cursor: string | null
}

/** How a run ended that did not simply succeed. */
export type EndReason = 'failed' | 'timeout' | 'lease_expired' | 'interrupted' | 'cancelled' | 'snoozed' | 'retried_by_admin'

/** A run that is over. */
export interface Attempt {
  run: number
  attempt: number
  worker_id: string | null
  started_at: string | null
  ended_at: string
  end_reason: EndReason
  error_code: string | null
  error_msg: string | null
  error_stack: string | null
}

/** What somebody did. */
export interface AuditRow {
  id: string
  at: string
  actor: string | null
  action: string
  outcome: 'applied' | 'requested' | 'unchanged' | 'refused'
  code: string | null
  job_id: string | null
  run: number | null
  job_type: string | null
  collection_node_id: string | null
  status_before: string | null
  status_after: string | null
  reason: string | null
  bulk_id: string | null
  error_group: string | null
}

/** A job with everything about it. */
export interface JobDetail extends JobRow {
  payload: Json
  result: Json
  masked: readonly string[]
  cut: boolean
  may_view_raw: boolean
}

/** `GET {base}/:id` */
export interface JobBody {
  job: JobDetail
  attempts: readonly Attempt[]
  audit: readonly AuditRow[]
}

/** `GET {base}/:id/raw` */
export interface RawBody {
  payload: Json
  result: Json
}

/** One of the reasons why a job is not running. */
export interface Reason {
  code: string
  sentence: string
  facts: Readonly<Record<string, string | number | boolean | null>>
}

/** `GET {base}/:id/explain` */
export interface ExplainBody {
  id: string
  status: Status
  reasons: readonly Reason[]
  sentence: string
}
