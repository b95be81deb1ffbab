import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { type Scope, scopeIds } from '../scope.ts'

/** What can be done, and stands in the audit. */
export type AuditAction = 'retry' | 'cancel' | 'pause' | 'resume' | 'read_raw' | 'summarize' | 'ignore_errors' | 'unignore_errors'

/** An action of a person, applied or refused. */
export interface AuditEntry {
  /** Grows with time. */
  id: string
  at: Date
  actor: string | null
  action: AuditAction
  /** `unchanged`: it was so already. */
  outcome: 'applied' | 'requested' | 'unchanged' | 'refused'
  /** Why it was refused; see docs/errors.md. */
  code: string | null
  jobId: string | null
  run: number | null
  jobType: string | null
  collectionNodeId: string | null
  statusBefore: string | null
  statusAfter: string | null
  reason: string | null
  /** The bulk action it was part of. */
  bulkId: string | null
  /** Which errors were set aside, or taken back. */
  errorGroup: string | null
}

/** Which entries to list, and from where on. */
export interface ListAuditOptions {
  /** Only of this job. */
  jobId?: string
  /** Only by this actor. */
  actor?: string
  /** Only this action. */
  action?: AuditAction
  /** Only of this bulk action. */
  bulkId?: string
  /** 1 … 200. Default 50. */
  limit?: number
  /** Only entries before this one: the id of the last one of the page before. */
  before?: string
}

interface Params {
  collections: readonly string[] | null
  job: string | null
  actor: string | null
  action: string | null
  bulk: string | null
  before: string | null
  limit: number
}

/** Not the database's role, which is the operator's business. */
const columns = sql.raw(
  'e.id, e.acted_at, e.actor, e.action, e.outcome, e.code, e.job_id, e.run, e.job_type, e.collection_node_id, e.status_before, e.status_after, e.reason, e.bulk_id, e.error_group',
)

/** Collection by collection, through the index that is led by it; entries without a collection are for whoever may see all. */
const query = statement<Params, AuditEntry>(
  'jobs_admin_list_audit',
  (p) => sql`
    with fitting as (
      select ${columns} from job_audit e
      where ${p('collections')}::uuid[] is null
        and (${p('job')}::uuid is null or e.job_id = ${p('job')}::uuid) and (${p('bulk')}::uuid is null or e.bulk_id = ${p('bulk')}::uuid)
        and (${p('actor')}::text is null or e.actor = ${p('actor')}::text) and (${p('action')}::text is null or e.action = ${p('action')}::text)
        and (${p('before')}::bigint is null or e.id < ${p('before')}::bigint)
      union all
      select m.* from unnest(${p('collections')}::uuid[]) c (id), lateral (
        select ${columns} from job_audit e
        where e.collection_node_id = c.id
          and (${p('job')}::uuid is null or e.job_id = ${p('job')}::uuid) and (${p('bulk')}::uuid is null or e.bulk_id = ${p('bulk')}::uuid)
          and (${p('actor')}::text is null or e.actor = ${p('actor')}::text) and (${p('action')}::text is null or e.action = ${p('action')}::text)
          and (${p('before')}::bigint is null or e.id < ${p('before')}::bigint)
        order by e.id desc limit ${p('limit')}::int) m)
    select f.id::text as id, f.acted_at as at, f.actor, f.action, f.outcome, f.code, f.job_id as "jobId", f.run, f.job_type as "jobType",
      f.collection_node_id as "collectionNodeId", f.status_before as "statusBefore", f.status_after as "statusAfter", f.reason,
      f.bulk_id as "bulkId", f.error_group as "errorGroup"
    from fitting f order by f.id desc limit ${p('limit')}::int`,
)

const actions: readonly AuditAction[] = [
  ...(['retry', 'cancel', 'pause', 'resume', 'read_raw', 'summarize', 'ignore_errors', 'unignore_errors'] as const),
]

/**
 * Lists what people did to the scope's jobs, the newest first.
 * @throws PermanentError `LIST_LIMIT`, `LIST_FILTER`, `SCOPE_INVALID`
 */
export async function listAudit(db: Queryable, scope: Scope, options: ListAuditOptions = {}): Promise<AuditEntry[]> {
  const { jobId, actor, action, bulkId, limit = 50, before } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw new PermanentError('LIST_LIMIT', `limit must be a whole number from 1 to 200, got ${show(limit)}.`)
  }
  for (const [name, id] of Object.entries({ jobId, bulkId })) {
    if (id !== undefined && !isUuid(id)) throw new PermanentError('LIST_FILTER', `Expected ${name} to be a uuid, got ${show(id)}.`)
  }
  if (action !== undefined && !actions.includes(action)) {
    throw new PermanentError('LIST_FILTER', `Expected action to be one of ${actions.join(', ')}, got ${show(action)}.`)
  }
  if (before !== undefined && !/^\d{1,18}$/.test(before)) {
    throw new PermanentError('LIST_FILTER', `Expected before to be the id of an entry, got ${show(before)}.`)
  }
  if (actor !== undefined && (typeof actor !== 'string' || actor.length > 200 || actor.includes('\0'))) {
    throw new PermanentError('LIST_FILTER', `Expected actor to be at most 200 characters, got ${show(actor)}.`)
  }
  const filter = { job: jobId ?? null, actor: actor ?? null, action: action ?? null, bulk: bulkId ?? null, before: before ?? null }
  return runQuery(db, query({ collections: scopeIds(scope), ...filter, limit }))
}
