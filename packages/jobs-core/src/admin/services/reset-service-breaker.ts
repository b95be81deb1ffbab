import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'

const query = statement<{ service: string }, { closed: boolean }>(
  'jobs_admin_reset_service',
  (p) => sql`select reset_service_breaker(${p('service')}::text) as closed`,
)

/**
 * Says that a service is back, without waiting for the next probe: its failures are forgotten, jobs that were put off are due at once, and
 * workers look. If it is still down, it fails again as the first time. For operators; with roles, for members of queue_owner.
 * @returns false when it was not down.
 */
export async function resetServiceBreaker(db: Queryable, service: string): Promise<boolean> {
  const [row] = await runQuery(db, query({ service }))
  return row?.closed === true
}
