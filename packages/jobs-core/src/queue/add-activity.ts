import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/** How many jobs of a type of a collection ended, and how long they took. */
export interface Activity {
  collectionNodeId: string
  jobType: string
  completed: number
  failed: number
  retried: number
  /** Jobs by bucket of milliseconds: see migration 0028. */
  wait: ReadonlyMap<number, number>
  run: ReadonlyMap<number, number>
}

interface Params {
  collections: string[]
  types: string[]
  completed: number[]
  failed: number[]
  retried: number[]
  durationCollections: string[]
  durationTypes: string[]
  measures: string[]
  buckets: number[]
  jobs: number[]
}

/*
 * Each table's rows are sorted by their key, so that workers who add to the same rows lock them in the same order. Collections that are gone have no statistics.
 */
const query = statement<Params, object>(
  'jobs_add_activity',
  (p) => sql`
    with at as materialized (select clock_timestamp() as now),
    counted as (
      insert into job_activity as a (collection_node_id, span, starts_at, job_type, completed, failed, retried)
      select n.id, s.span, date_trunc(s.span, at.now, 'UTC'), c.job_type, c.completed, c.failed, c.retried
      from unnest(${p('collections')}::uuid[], ${p('types')}::text[], ${p('completed')}::int[], ${p('failed')}::int[], ${p('retried')}::int[])
          c (collection_node_id, job_type, completed, failed, retried)
        join nodes n on n.id = c.collection_node_id, (values ('hour'), ('minute')) s (span), at
      order by 1, 2, 3, 4
      on conflict (collection_node_id, span, starts_at, job_type) do update
      set completed = least(a.completed::bigint + excluded.completed, 2147483647), failed = least(a.failed::bigint + excluded.failed, 2147483647),
        retried = least(a.retried::bigint + excluded.retried, 2147483647))
    insert into job_durations as d (collection_node_id, starts_at, job_type, measure, bucket, jobs)
    select n.id, date_trunc('hour', at.now, 'UTC'), c.job_type, c.measure, c.bucket, c.jobs
    from unnest(${p('durationCollections')}::uuid[], ${p('durationTypes')}::text[], ${p('measures')}::text[], ${p('buckets')}::smallint[], ${p('jobs')}::int[])
        c (collection_node_id, job_type, measure, bucket, jobs)
      join nodes n on n.id = c.collection_node_id, at
    order by 1, 2, 3, 4, 5
    on conflict (collection_node_id, starts_at, job_type, measure, bucket) do update set jobs = least(d.jobs::bigint + excluded.jobs, 2147483647)`,
)

/** Adds what was counted to the minute and the hour that it is now, by the database's clock. */
export async function addActivity(queue: QueueConnection, counted: readonly Activity[]): Promise<void> {
  const durations = counted.flatMap((activity) =>
    (['wait', 'run'] as const).flatMap((measure) => [...activity[measure]].map(([bucket, jobs]) => ({ activity, measure, bucket, jobs }))),
  )
  await queue.run(
    query({
      collections: counted.map((activity) => activity.collectionNodeId),
      types: counted.map((activity) => activity.jobType),
      completed: counted.map((activity) => activity.completed),
      failed: counted.map((activity) => activity.failed),
      retried: counted.map((activity) => activity.retried),
      durationCollections: durations.map(({ activity }) => activity.collectionNodeId),
      durationTypes: durations.map(({ activity }) => activity.jobType),
      measures: durations.map(({ measure }) => measure),
      buckets: durations.map(({ bucket }) => bucket),
      jobs: durations.map(({ jobs }) => jobs),
    }),
  )
}
