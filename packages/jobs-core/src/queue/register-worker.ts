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
  /** Types that cannot do without some service, and which. Default: none. */
  services?: ReadonlyMap<string, readonly string[]>
  leaseMs: number
}

type Params = Omit<WorkerRegistration, 'services'> & { services: string }

const query = statement<Params, { id: string }>(
  'jobs_register_worker',
  (p) => sql`
    insert into job_workers (id, host, pid, version, types, slots, services, lease_expires_at)
    values (${p('id')}::uuid, ${p('host')}, ${p('pid')}, ${p('version')}, ${p('types')}::text[], ${p('slots')}, ${p('services')}::jsonb,
      clock_timestamp() + ${p('leaseMs')}::float8 * interval '1 millisecond')
    returning id`,
)

/** Gives the worker a row and its first lease. Every registration has a new id. */
export async function registerWorker(queue: QueueConnection, registration: WorkerRegistration): Promise<void> {
  const services = JSON.stringify(Object.fromEntries(registration.services ?? []))
  await queue.run(query({ ...registration, services }))
}
