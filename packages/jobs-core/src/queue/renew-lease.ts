import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

const query = statement<{ id: string; leaseMs: number }, { id: string }>(
  'jobs_renew_lease',
  (p) => sql`
    update job_workers
    set lease_expires_at = clock_timestamp() + ${p('leaseMs')}::float8 * interval '1 millisecond', heartbeat_at = clock_timestamp()
    where id = ${p('id')}::uuid and dead_at is null
    returning id`,
)

/**
 * Renews the lease. False when the worker has been declared dead: its jobs belong to others now. Only that mark counts, not the
 * clock: a late heartbeat that comes before the mark saves the lease.
 */
export async function renewLease(queue: QueueConnection, id: string, leaseMs: number): Promise<boolean> {
  return (await queue.run(query({ id, leaseMs }))).length > 0
}
