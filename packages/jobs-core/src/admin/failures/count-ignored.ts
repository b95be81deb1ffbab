import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { errorGroup } from '../list/walk-jobs.ts'
import { type Scope, scopeIds } from '../scope.ts'
import { isAside } from './is-aside.ts'

/** As many as the list of groups looks at. */
const most = 10_000

/** Looks at failed jobs only of collections where something is set aside: mostly there are none. */
const query = statement<{ collections: readonly string[] | null }, { jobs: number }>(
  'jobs_admin_count_ignored',
  (p) => sql`
    with ignored as materialized (
      select i.collection_node_id, i.job_type, i.error_group, i.more, i.ignored_at from job_ignored_errors i
      where ${p('collections')}::uuid[] is null or i.collection_node_id = any(${p('collections')}::uuid[])),
    whose as materialized (select distinct collection_node_id as id from ignored),
    window_size as materialized (select (${sql.lit(most)} / greatest(count(*), 1) + 1)::int as jobs from whose),
    parts as (
      select i.more, count(*)::int as jobs, (count(*) filter (where f.completed_at > i.ignored_at))::int as new_jobs
      from whose w, lateral (
        select q.collection_node_id, q.job_type, ${errorGroup} as error_group, q.completed_at from job_queue q
        where q.collection_node_id = w.id and q.failed
        order by q.created_at desc, q.id desc limit (select jobs from window_size)) f
        join ignored i using (collection_node_id, job_type, error_group)
      group by i.collection_node_id, i.job_type, i.error_group, i.more)
    select coalesce(sum(p.jobs), 0)::int as jobs from parts p where ${isAside(sql`p`, sql`p.more`, sql`(select jobs from window_size)`)}`,
)

/**
 * How many of the scope's failed jobs belong to groups that are set aside and have not grown: they need nobody just now.
 * @throws PermanentError `SCOPE_INVALID`
 */
export async function countIgnored(db: Queryable, scope: Scope): Promise<number> {
  return (await runQuery(db, query({ collections: scopeIds(scope) })))[0]?.jobs ?? 0
}
