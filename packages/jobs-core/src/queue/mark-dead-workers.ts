import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

export interface DeadWorkers {
  /** How many were declared dead just now. */
  marked: number
  /** How many that were dead before still have jobs to be taken back. */
  waiting: number
}

/*
 * FOR UPDATE does not go together with the lock a claim holds on its worker's row: a worker in the middle of a claim is skipped
 * this time, and once the mark is committed no claim of that worker can commit any more. Nobody declares itself dead: after a pause
 * its own heartbeat may still be in time.
 */
const query = statement<{ self: string }, DeadWorkers>(
  'jobs_mark_dead_workers',
  (p) => sql`
    with marked as (
      update job_workers w set dead_at = clock_timestamp(), idle = false
      where w.id = any(array(
        select id from job_workers
        where dead_at is null and lease_expires_at < clock_timestamp() and id <> ${p('self')}::uuid
        order by lease_expires_at limit 10
        for update skip locked))
      returning w.id)
    select (select count(*) from marked)::int as marked,
      (select count(*) from job_workers where dead_at is not null and rescued_at is null)::int as waiting`,
)

/** Declares workers other than `self` dead whose lease ran out. Must be committed before their jobs are taken. */
export async function markDeadWorkers(queue: QueueConnection, self: string): Promise<DeadWorkers> {
  const [row] = await queue.run(query({ self }))
  return row ?? { marked: 0, waiting: 0 }
}
