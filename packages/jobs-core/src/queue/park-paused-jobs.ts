import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ types: readonly string[]; maxPerType: number }, { parked: number }>(
  'jobs_park_paused_jobs',
  (p) => sql`select park_paused_jobs(${p('types')}::text[], ${p('maxPerType')}::int) as parked`,
)

/** Lets jobs of paused collections that have come to the head of the queue stand aside; how many. */
export async function parkPausedJobs(queue: QueueConnection, types: readonly string[], maxPerType: number): Promise<number> {
  const [row] = await queue.run(query({ types, maxPerType }))
  return row?.parked ?? 0
}
