import type { JsonValue } from '@sidelinja/jobs-core'
import type { BulkAction } from '@sidelinja/jobs-core/admin'
import { maskJson } from '../mask/mask-json.ts'
import { shown } from './job-view.ts'

/** A bulk action: preview, progress and receipt, in the words of the HTTP interface. */
export function viewBulk(bulk: BulkAction) {
  return {
    bulk_id: bulk.id,
    action: bulk.action,
    filter: maskJson(inQueryWords(bulk.filter as object) as JsonValue, 'filter').value,
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

const queryWords: Readonly<Record<string, string>> = {
  collectionNodeId: 'collection_id',
  createdFrom: 'created_from',
  createdBefore: 'created_before',
  errorGroup: 'error_group',
  actedBy: 'acted_by',
}

/** As the list's query has it. */
function inQueryWords(filter: object): object {
  return Object.fromEntries(Object.entries(filter ?? {}).map(([name, value]) => [queryWords[name] ?? name, value]))
}
