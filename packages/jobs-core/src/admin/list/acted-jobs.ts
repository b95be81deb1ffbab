import { sql } from 'kysely'
import { type NamedQuery, statement } from '../../database/statement.ts'
import { summaryColumns } from './job-summary.ts'
import type { ListParams } from './list-options.ts'
import { type Bound, between, fits, fitsState, type ListedRow } from './walk-jobs.ts'

/** So many of what somebody did last are looked at. */
const most = 5_000

/** From the audit to the jobs: through the index of what one person has done, whoever's jobs they were and however many there are. */
const query = statement<Bound, ListedRow>(
  'jobs_admin_list_acted',
  (p) => sql`
    with acted as materialized (
      select distinct n.job_id from (
        select a.job_id, a.action, a.outcome from job_audit a
        where a.actor = ${p('actor')}::text and a.job_id is not null
        order by a.id desc limit ${sql.lit(most)}) n
      where n.action in ('retry', 'cancel', 'summarize') and n.outcome in ('applied', 'requested'))
    select ${summaryColumns}, floor(extract(epoch from q.created_at) * 1000000)::bigint::text as created_at_us,
      null::text as frontier_us, null::uuid as frontier_id
    from acted m join job_queue q on q.id = m.job_id
    where (${p('collections')}::uuid[] is null or q.collection_node_id = any(${p('collections')}::uuid[]))
      and (${p('collection')}::uuid is null or q.collection_node_id = ${p('collection')}::uuid)
      and ${between(p)} and (${fits(p)} or q.id = ${p('id')}::uuid and ${fitsState(p)})
    order by q.created_at desc, q.id desc
    limit ${p('limit')}::int + 1 offset ${p('offset')}::int`,
)

/** A page of the jobs that somebody has retried, cancelled or ordered, as far as their last actions reach. */
export function actedJobs({ after, ...params }: ListParams, collections: readonly string[] | null): NamedQuery<ListedRow> {
  return query({ ...params, collections, looksAt: most, afterUs: after?.createdAtUs ?? null, afterId: after?.id ?? null })
}
