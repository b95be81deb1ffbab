import type { QueueConnection } from '../database/queue-connection.ts'

interface Renewal {
  id: string
  leaseMs: number
  /** The longest time the worker's event loop has stood still since the last renewal. */
  loopSilentMs: number
  /** The lowest number of a claim this worker may still hold. */
  heldFrom: number
}

// Written out, because the heartbeat's thread runs it: the query builder would cost that thread ten megabytes.
const name = 'jobs_renew_lease'
const text = `
  update job_workers
  set lease_expires_at = clock_timestamp() + $2::float8 * interval '1 millisecond', heartbeat_at = clock_timestamp(), loop_silent_ms = $3::integer,
    held_from = greatest(held_from, $4::bigint)
  where id = $1::uuid and dead_at is null
  returning id`

/**
 * Renews the lease. False when the worker has been declared dead: its jobs belong to others now. Only that mark counts, not the
 * clock: a late heartbeat that comes before the mark saves the lease.
 */
export async function renewLease(queue: QueueConnection, { id, leaseMs, loopSilentMs, heldFrom }: Renewal): Promise<boolean> {
  return (await queue.run({ name, text, values: [id, leaseMs, Math.round(loopSilentMs), heldFrom] })).length > 0
}
