import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { errorGroup } from '../list/walk-jobs.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { isAside } from './is-aside.ts'

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
  /** Set aside until it grows; null: it is not, or has grown since, or is elsewhere as well. */
  ignored: IgnoredErrors | null
}

/** Until when a group is set aside, of all collections where it is. */
export interface IgnoredErrors {
  /** When more than this have failed since, it stands among the others again. */
  more: number
  /** How many have. */
  newJobs: number
  since: Date
}

/** The groups of a scope's failed jobs. */
export interface ErrorGroups {
  /** The largest first, at most 100. */
  groups: ErrorGroup[]
  /** In some collection there were more failed jobs than were looked at: the numbers are of the newest, and groups may be missing. */
  capped: boolean
}

/** So many failed jobs are looked at, the newest of each collection. */
const most = 10_000
const mostGroups = 100

interface Row extends Omit<ErrorGroup, 'ignored'> {
  capped: boolean
  aside: boolean
  more: number | null
  newJobs: number | null
  since: Date | null
}

const query = statement<{ collections: readonly string[] | null; actable: readonly string[] | null }, Row>(
  'jobs_admin_list_error_groups',
  (p) => sql`
    with recursive present as (
      (select q.collection_node_id as id from job_queue q where ${p('collections')}::uuid[] is null and q.failed order by q.collection_node_id limit 1)
      union all
      select (select q.collection_node_id from job_queue q where q.failed and q.collection_node_id > b.id order by q.collection_node_id limit 1)
      from present b where b.id is not null),
    whose as materialized (select id from present where id is not null union select unnest(${p('collections')}::uuid[])),
    window_size as materialized (select (${sql.lit(most)} / greatest(count(*), 1) + 1)::int as jobs from whose),
    failed as materialized (
      select f.* from whose w, lateral (
        select q.job_type, q.collection_node_id, ${errorGroup} as error_group, q.error_msg, q.completed_at from job_queue q
        where q.collection_node_id = w.id and q.failed
        order by q.created_at desc, q.id desc limit (select jobs from window_size)) f),
    parts as (
      select f.error_group, f.job_type, f.collection_node_id, count(*)::int as jobs, min(f.completed_at) as first_at, max(f.completed_at) as last_at,
        (array_agg(f.error_msg order by f.completed_at desc nulls last))[1] as message, i.more, i.ignored_at,
        (count(*) filter (where f.completed_at > i.ignored_at))::int as new_jobs
      from failed f left join job_ignored_errors i
        on i.collection_node_id = f.collection_node_id and i.job_type = f.job_type and i.error_group = f.error_group
      group by 1, 2, 3, i.more, i.ignored_at),
    judged as (
      select p.*, coalesce(${isAside(sql`p`, sql`p.more`, sql`(select jobs from window_size)`)}, false) as aside,
        ${p('actable')}::uuid[] is null or p.collection_node_id = any(${p('actable')}::uuid[]) as actable
      from parts p)
    select j.error_group as "group", j.job_type as type, sum(j.jobs)::int as jobs,
      left((array_agg(j.message order by j.last_at desc nulls last))[1], 2000) as message,
      min(j.first_at) as "firstFailedAt", max(j.last_at) as "lastFailedAt", count(*)::int as collections,
      exists (select from failed f group by f.collection_node_id having count(*) >= (select jobs from window_size)) as capped,
      bool_or(j.aside) and coalesce(bool_and(j.aside) filter (where j.actable), bool_and(j.aside)) as aside,
      sum(j.more) filter (where j.aside)::int as more, sum(j.new_jobs) filter (where j.aside)::int as "newJobs",
      min(j.ignored_at) filter (where j.aside) as since
    from judged j group by 1, 2 order by aside, jobs desc, "lastFailedAt" desc nulls last, 1 limit ${sql.lit(mostGroups)}`,
)

/**
 * Groups the scope's failed jobs by what they failed with: so that an outage is one line, and all of it can be tried again. What is set aside comes last: a group
 * whose failed jobs are so in each collection where the reader may act, or, of who may act in none of them, in all.
 * @param actable where the reader may act; left out: the whole scope.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function listErrorGroups(db: Queryable, scope: Scope, actable: Scope = scope): Promise<ErrorGroups> {
  const rows = await runQuery(db, query({ collections: scopeIds(scope), actable: scopeIds(actable) }))
  return { groups: rows.map(toGroup), capped: rows[0]?.capped ?? false }
}

function toGroup({ capped, aside, more, newJobs, since, ...group }: Row): ErrorGroup {
  return { ...group, ignored: aside && more !== null && newJobs !== null && since !== null ? { more, newJobs, since } : null }
}
