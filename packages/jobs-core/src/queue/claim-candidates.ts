import { type RawBuilder, sql } from 'kysely'

/** What the search for due jobs is told. */
export interface CandidateParams {
  types: readonly string[]
  limit: number
  lookahead: number
}

type Param = (key: keyof CandidateParams) => RawBuilder<unknown>

/** The type is not paused everywhere. Said like this, here and below, the planner expects most jobs to pass. */
const typeOpen = (type: 'job_queue' | 't') => sql`not (
  exists (select from paused where paused.collection_node_id is null)
  and ${sql.ref(`${type}.job_type`)} = any(array(select job_type from paused where collection_node_id is null)))`

/** Neither the job's collection is paused, nor its type there. As long as no collection is, only the first line is looked at. */
const collectionOpen = (job: 'job_queue' | 'j') => sql`not (
  exists (select from paused where paused.collection_node_id is not null)
  and (${sql.ref(`${job}.collection_node_id`)} = any(array(select collection_node_id from paused where job_type is null))
    or (${sql.ref(`${job}.collection_node_id`)}, ${sql.ref(`${job}.job_type`)}) in (
      select collection_node_id, job_type from paused where job_type is not null and collection_node_id is not null)))`

/** The claim runs after the settle and the start, and only for a worker that is alive. */
const inTurn = sql`exists (select from me) and (select count(*) from done) >= 0 and (select count(*) from begun) >= 0`

/** Follows the index in the queue's order. Best while most of what waits is of this worker's types. */
export const inOrderCandidates = (p: Param) => sql`cand as materialized (
      select id, rescues > 0 as rescued, attempts + 1 >= max_attempts as last_chance from job_queue
      where ready and not parked and scheduled_for <= now() and job_type = any(${p('types')}::text[]) and run < 2147483647
        and ${typeOpen('job_queue')} and ${collectionOpen('job_queue')} and ${inTurn}
      order by priority desc, scheduled_for, sequence
      limit ${p('limit')}::int + ${p('lookahead')}::int
      for update skip locked)`

/**
 * Takes the first of each type and then the first of those: walks past nothing, however many jobs of other types wait. Looks at twice as
 * many as it wants, since other workers may hold some of them. A type between itself and itself, and the order by type, are there for the
 * planner: they leave only the index that is led by the type. With an equality it takes the other index whenever one type fills the table.
 */
export const byTypeCandidates = (p: Param) => sql`found as materialized (
      select q.id, q.rescues > 0 as rescued, q.attempts + 1 >= q.max_attempts as last_chance, q.priority, q.scheduled_for, q.sequence
      from job_queue q
      where q.id = any(array(
          select c.id
          from unnest(${p('types')}::text[]) t (job_type), lateral (
            select j.id, j.priority, j.scheduled_for, j.sequence from job_queue j
            where j.ready and not j.parked and j.job_type between t.job_type and t.job_type and j.scheduled_for <= now() and j.run < 2147483647
              and ${collectionOpen('j')}
            order by j.job_type, j.priority desc, j.scheduled_for, j.sequence
            limit 2 * (${p('limit')}::int + ${p('lookahead')}::int)) c
          where ${typeOpen('t')}
          order by c.priority desc, c.scheduled_for, c.sequence
          limit 2 * (${p('limit')}::int + ${p('lookahead')}::int)))
        and q.ready and not q.parked and q.scheduled_for <= now() and ${inTurn}
      for update skip locked),
    cand as materialized (
      select id, rescued, last_chance from found
      order by priority desc, scheduled_for, sequence
      limit ${p('limit')}::int + ${p('lookahead')}::int)`
