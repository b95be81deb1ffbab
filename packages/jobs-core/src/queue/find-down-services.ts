import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/** A service that no job may call for now. */
export interface DownService {
  service: string
  since: Date
  /** How long it has been down, and how long it is until its next probe, by the database's clock; milliseconds. */
  downMs: number
  waitMs: number
  /** A probe is under way. */
  probing: boolean
  /** The newest failure. */
  code: string | null
  message: string | null
}

const query = statement<{ services: readonly string[] }, DownService>(
  'jobs_find_down_services',
  (p) => sql`
    select service, opened_at as since, extract(epoch from clock_timestamp() - opened_at)::float8 * 1000 as "downMs",
      greatest(extract(epoch from probe_at - clock_timestamp())::float8 * 1000, 0) as "waitMs",
      probe_id is not null and probe_expires_at > clock_timestamp() as probing, error_code as code, error_msg as message
    from service_breakers where service = any(${p('services')}::text[]) and opened_at is not null order by service`,
)

/** Which of these services are down. */
export async function findDownServices(queue: QueueConnection, services: readonly string[]): Promise<DownService[]> {
  return services.length === 0 ? [] : queue.run(query({ services }))
}
