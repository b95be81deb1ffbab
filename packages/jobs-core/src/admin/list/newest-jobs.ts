import { sql } from 'kysely'
import { type NamedQuery, statement } from '../../database/statement.ts'
import { summaryColumns } from './job-summary.ts'
import type { ListParams } from './list-options.ts'
import type { ListedRow } from './walk-jobs.ts'

interface Params {
  collections: readonly string[] | null
  failedOnly: boolean
  afterUs: string | null
  afterId: string | null
  from: Date | null
  before: Date | null
  limit: number
  offset: number
}

/** Which rows, is told by a function that reads only an index; the rows are read here, under the caller's own rights. */
const query = statement<Params, ListedRow>(
  'jobs_admin_list_newest',
  (p) => sql`
    select ${summaryColumns}, floor(extract(epoch from q.created_at) * 1000000)::bigint::text as created_at_us,
      null::text as frontier_us, null::uuid as frontier_id
    from (
      select id from newest_jobs(${p('collections')}::uuid[], ${p('failedOnly')}::boolean, ${p('offset')}::int + ${p('limit')}::int + 1,
        ${p('afterUs')}::float8, ${p('afterId')}::uuid, ${p('from')}::timestamptz, ${p('before')}::timestamptz)
      order by created_at desc, id desc offset ${p('offset')}::int limit ${p('limit')}::int + 1) n
      join job_queue q on q.id = n.id
    order by q.created_at desc, q.id desc`,
)

/** A page without a filter, or of failed jobs without another one. */
export function newestJobs(
  { collection, after, from, before, limit, offset }: ListParams,
  collections: readonly string[] | null,
  failedOnly: boolean,
): NamedQuery<ListedRow> {
  const whose = collection === null ? collections : collections === null || collections.includes(collection) ? [collection] : []
  return query({
    collections: whose,
    failedOnly,
    afterUs: after?.createdAtUs ?? null,
    afterId: after?.id ?? null,
    from,
    before,
    limit,
    offset,
  })
}
