import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

export interface WorkerRegistration {
  id: string
  host: string
  pid: number
  version: string | null
  types: readonly string[]
  slots: number
  leaseMs: number
}

const query = statement<WorkerRegistration, { id: string }>(
  'jobs_register_worker',
  (p) => sql`
    insert into job_workers (id, host, pid, version, types, slots, lease_expires_at)
    values (${p('id')}::uuid, ${p('host')}, ${p('pid')}, ${p('version')}, ${p('types')}::text[], ${p('slots')},
      clock_timestamp() + ${p('leaseMs')}::float8 * interval '1 millisecond')
    returning id`,
)

/** Gives the worker a row and its first lease. Every registration has a new id. */
export async function registerWorker(queue: QueueConnection, registration: WorkerRegistration): Promise<void> {
  await queue.run(query(registration))
}
