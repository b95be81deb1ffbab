import { type RawBuilder, sql } from 'kysely'
import { type NamedQuery, type Statement, statement } from '../../database/statement.ts'
import type { JobSummary } from './job-summary.ts'
import { summaryColumns } from './job-summary.ts'
import type { ListParams } from './list-options.ts'

export interface Bound extends Omit<ListParams, 'after'> {
  collections: readonly string[] | null
  afterUs: string | null
  afterId: string | null
  looksAt: number
}

export interface ListedRow extends JobSummary {
  created_at_us: string
  /** How far the filter has looked where it has not seen all: as in each row. */
  frontier_us: string | null
  frontier_id: string | null
}

/** Up to so many waiting jobs are looked through one by one. */
const few = 5_000

/** What of job_queue is walked. */
interface Way {
  /** What the index is about. */
  index: RawBuilder<unknown>
  /** Jobs that are found in another way. */
  more?: Part
}

type Part = (param: (key: keyof Bound & string) => RawBuilder<unknown>) => RawBuilder<unknown>

/** Which group of errors a failed job belongs to; of jobs that failed under an older worker, those with the same text. */
export const errorGroup = sql.raw(`coalesce(q.error_group, md5(q.job_type || ' ' || coalesce(q.error_msg, '')))`)

export const fitsState: Part = (p) => sql`
  (${p('statuses')}::text[] is null or q.status::text = any(${p('statuses')}::text[]))
  and (${p('types')}::text[] is null or q.job_type = any(${p('types')}::text[]))
  and (${p('group')}::text is null or q.failed and ${errorGroup} = ${p('group')}::text)`

/** What an index cannot tell. */
export const fits: Part = (p) => sql`
  ${fitsState(p)}
  and (${p('id')}::uuid is null or q.id <> ${p('id')}::uuid)
  and (${p('search')}::text is null or q.correlation_id = ${p('search')}::text or position(lower(${p('search')}::text) in lower(q.error_msg)) > 0)`

/** What the order's index tells. */
export const between: Part = (p) => sql`
  (${p('afterId')}::uuid is null or (q.created_at, q.id) <
    ('epoch'::timestamptz + ${p('afterUs')}::float8 * interval '1 microsecond', ${p('afterId')}::uuid))
  and (${p('from')}::timestamptz is null or q.created_at >= ${p('from')}::timestamptz)
  and (${p('before')}::timestamptz is null or q.created_at < ${p('before')}::timestamptz)`

/** A job that is asked for by its id needs no looking for. It stands on the first page, and on no other. */
const asked: Part = (p) => sql`
  select q.id, q.created_at from job_queue q
  where q.id = ${p('id')}::uuid and ${p('afterId')}::uuid is null
    and q.collection_node_id = any(array(select w.id from whose w)) and ${fitsState(p)} and ${between(p)}`

/*
 * Collection by collection, through the index that is led by it, because no index has all jobs in order of time and one statement about many
 * collections would sort all that they have. Of each the newest are looked at, up to a window; what is older than where some window ended is left for the
 * next page, because something newer may stand behind that end.
 */
const walk =
  ({ index }: Way): Part =>
  (p) =>
    sql`
    select k.id, k.created_at, k.fits, case when k.n = share.size then 1 else 0 end as frontier
    from whose w, (
        select greatest(
          case when (select known from complete) then 0 else ${p('looksAt')}::int end / (select greatest(count(*), 1) from whose), (${p('offset')}::int + ${p('limit')}::int + 1)) as size) share,
      lateral (
        select o.*, row_number() over (order by o.created_at desc, o.id desc) as n from (
          select q.id, q.created_at, ${fits(p)} as fits from job_queue q
          where q.collection_node_id = w.id and ${index} and ${between(p)}
          order by q.created_at desc, q.id desc limit share.size) o) k`

/** Few jobs run or wait: their own indexes find them however old they are. */
const unfinished: Part = (p) => sql`
  select q.id, q.created_at from job_workers m join job_queue q on not q.ready and q.worker_id = m.id and q.claim >= m.held_from and q.status = 'running'
  where q.collection_node_id = any(array(select w.id from whose w)) and ${fits(p)} and ${between(p)}
  union
  select q.id, q.created_at from few_waiting_jobs(${sql.lit(few)}) f join job_queue q on q.id = f.id
  where f.collection_node_id = any(array(select w.id from whose w)) and q.ready and ${fits(p)} and ${between(p)}`

const list = (name: string, way: Way): Statement<Bound, ListedRow> =>
  statement<Bound, ListedRow>(
    name,
    (p) => sql`
      with recursive present as (
        (select q.collection_node_id as id from job_queue q where ${p('collections')}::uuid[] is null order by q.collection_node_id limit 1)
        union all
        select (select q.collection_node_id from job_queue q where q.collection_node_id > b.id order by q.collection_node_id limit 1)
        from present b where b.id is not null),
      whose as materialized (
        select c.id from (
          select id from present where id is not null
          union
          select unnest(${p('collections')}::uuid[])) c
        where ${p('collection')}::uuid is null or c.id = ${p('collection')}::uuid),
      complete as materialized (select ${way.more ? sql`(not ${p('statuses')}::text[] && array['pending', 'retry'] or (select few_jobs_wait(${sql.lit(few)})))` : sql`false`} as known),
      walked as materialized (${walk(way)(p)}),
      frontier as materialized (
        select k.id, k.created_at from walked k, complete c where k.frontier = 1 and not c.known order by k.created_at desc, k.id desc limit 1),
      found as (
        select k.id, k.created_at from walked k
        where k.fits and not exists (select from frontier f where (k.created_at, k.id) < (f.created_at, f.id))
        ${way.more ? sql`union select u.id, u.created_at from (${way.more(p)}) u where not exists (select from frontier f where (u.created_at, u.id) < (f.created_at, f.id))` : sql``}
        union select a.id, a.created_at from (${asked(p)}) a),
      page as (
        select id, created_at from found order by created_at desc, id desc
        limit ${p('limit')}::int + 1 offset ${p('offset')}::int)
      select ${summaryColumns}, floor(extract(epoch from q.created_at) * 1000000)::bigint::text as created_at_us,
        f.us as frontier_us, f.id as frontier_id
      from (select 1) one
      left join (select id, floor(extract(epoch from created_at) * 1000000)::bigint::text as us from frontier) f on true
      left join page on true
      left join job_queue q on q.id = page.id
      order by q.created_at desc, q.id desc`,
  )

const everything = { index: sql`true` }
const failures = { index: sql`q.failed` }

/** A list's statement. */
export type Walk = (params: ListParams & { collections: readonly string[] | null; looksAt: number }) => NamedQuery<ListedRow>

const bind =
  (query: Statement<Bound, ListedRow>): Walk =>
  ({ after, ...params }) =>
    query({ ...params, afterUs: after?.createdAtUs ?? null, afterId: after?.id ?? null })

/** Walks and filters. `unfinished`: running and waiting jobs, also those that are older than what the window shows. */
export const walks = {
  all: bind(list('jobs_admin_list_filtered', everything)),
  failed: bind(list('jobs_admin_list_failed_filtered', failures)),
  unfinished: bind(list('jobs_admin_list_unfinished', { ...everything, more: unfinished })),
}
