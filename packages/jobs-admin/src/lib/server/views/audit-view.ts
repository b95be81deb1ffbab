import type { AuditEntry } from '@sidelinja/jobs-core/admin'
import { shown } from './job-view.ts'

/** An entry of the audit, in the words of the HTTP interface. */
export function viewAudit(entry: AuditEntry) {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: entry.actor,
    action: entry.action,
    outcome: entry.outcome,
    code: entry.code,
    job_id: entry.jobId,
    run: entry.run,
    job_type: entry.jobType,
    collection_node_id: entry.collectionNodeId,
    status_before: entry.statusBefore,
    status_after: entry.statusAfter,
    reason: shown(entry.reason),
    bulk_id: entry.bulkId,
    error_group: entry.errorGroup,
  }
}
