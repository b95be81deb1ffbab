import type { BulkAction } from '@sidelinja/jobs-core/admin'
import { shown } from './job-view.ts'

/** A bulk action: preview, progress and receipt, in the words of the HTTP interface. */
export function viewBulk(bulk: BulkAction) {
  return {
    bulk_id: bulk.id,
    action: bulk.action,
    filter: bulk.filter,
    reason: shown(bulk.reason),
    fresh: bulk.fresh,
    jobs: bulk.jobs,
    more: bulk.more,
    created_at: bulk.createdAt.toISOString(),
    expires_at: bulk.expiresAt.toISOString(),
    done: bulk.done,
    outcomes: bulk.outcomes,
    started_at: bulk.startedAt?.toISOString() ?? null,
    finished_at: bulk.finishedAt?.toISOString() ?? null,
    aborted_at: bulk.abortedAt?.toISOString() ?? null,
  }
}
