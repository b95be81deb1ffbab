import { sql } from 'kysely'

/** Many jobs to be retried or cancelled: which ones was settled when it was previewed. */
export interface BulkAction {
  id: string
  action: 'retry' | 'cancel'
  actor: string | null
  /** What was chosen, as it was given. */
  filter: unknown
  reason: string | null
  fresh: boolean
  /** How many jobs it is about, at most 1,000. */
  jobs: number
  /** More jobs fit than those. */
  more: boolean
  createdAt: Date
  /** A preview that was not begun by then is void. */
  expiresAt: Date
  /** How many have been dealt with. */
  done: number
  /** How many ended how: `applied`, `requested`, or the code of a refusal. */
  outcomes: Readonly<Record<string, number>>
  startedAt: Date | null
  finishedAt: Date | null
  abortedAt: Date | null
}

/** The columns of a {@link BulkAction}, of `b`. */
export const bulkColumns = sql.raw(
  `b.id, b.action, b.actor, b.filter, b.reason, b.fresh, cardinality(b.job_ids) as jobs, b.more, b.created_at as "createdAt",
  b.expires_at as "expiresAt", b.done, b.outcomes, b.started_at as "startedAt", b.finished_at as "finishedAt", b.aborted_at as "abortedAt"`,
)
