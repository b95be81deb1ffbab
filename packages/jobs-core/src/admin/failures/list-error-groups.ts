import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { errorGroup } from '../list/walk-jobs.ts'
import { type Scope, scopeIds } from '../scope.ts'

/** Failed jobs of one type that failed for the same reason. */
export interface ErrorGroup {
  /** What `errorGroup` of a list or a bulk action takes. */
  group: string
  type: string
  jobs: number
  /** The error of the newest of them. */
  message: string | null
  firstFailedAt: Date | null
  lastFailedAt: Date | null
  /** How many collections of the scope have such jobs. */
  collections: number
}

/** The groups of a scope's failed jobs. */
export interface ErrorGroups {
  /** The largest first, at most 100. */
  groups: ErrorGroup[]
  /** There were more failed jobs than were looked at: the numbers are of the newest. */
  capped: boolean
}

/** So many failed jobs are looked at, the newest of each collection. */
const most = 10_000
const mostGroups = 100

const query = statement<{ collections: readonly string[] | null }, ErrorGroup & { seen: number }>(
  'jobs_admin_list_error_groups',
  (p) => sql`
    with recursive present as (
      (select q.collection_node_id as id from job_queue q where ${p('collections')}::uuid[] is null and q.failed order by q.collection_node_id limit 1)
      union all
      select (select q.collection_node_id from job_queue q where q.failed and q.collection_node_id > b.id order by q.collection_node_id limit 1)
      from present b where b.id is not null),
    whose as materialized (select id from present where id is not null union select unnest(${p('collections')}::uuid[])),
    failed as materialized (
      select f.* from whose w, lateral (
        select q.job_type, q.collection_node_id, ${errorGroup} as error_group, q.error_msg, q.completed_at from job_queue q
        where q.collection_node_id = w.id and q.failed
        order by q.created_at desc, q.id desc limit ${sql.lit(most)} / (select greatest(count(*), 1) from whose) + 1) f)
    select f.error_group as "group", f.job_type as type, count(*)::int as jobs,
      left((array_agg(f.error_msg order by f.completed_at desc nulls last))[1], 2000) as message,
      min(f.completed_at) as "firstFailedAt", max(f.completed_at) as "lastFailedAt", count(distinct f.collection_node_id)::int as collections,
      (select count(*) from failed)::int as seen
    from failed f group by 1, 2 order by jobs desc, "lastFailedAt" desc nulls last, 1 limit ${sql.lit(mostGroups)}`,
)

/**
 * Groups the scope's failed jobs by what they failed with: so that an outage is one line, and all of it can be tried again.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function listErrorGroups(db: Queryable, scope: Scope): Promise<ErrorGroups> {
  const rows = await runQuery(db, query({ collections: scopeIds(scope) }))
  return { groups: rows.map(({ seen, ...group }) => group), capped: (rows[0]?.seen ?? 0) >= most }
}
