import type { AuditAction, ListAuditOptions } from '@sidelinja/jobs-core/admin'
import { one, present } from './read-query.ts'

/** The names of {@link auditFilter}. */
export const auditFilterNames = ['job_id', 'actor', 'action', 'bulk_id'] as const

/** Which entries of the audit a query string asks for. */
export function auditFilter(query: URLSearchParams): ListAuditOptions {
  return {
    ...present('jobId', one(query, 'job_id')),
    ...present('actor', one(query, 'actor')),
    ...present('action', one(query, 'action') as AuditAction | undefined),
    ...present('bulkId', one(query, 'bulk_id')),
  }
}
