import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/* Limits of role and database are not for superusers, nor are the connections that are kept for them. */
const query = statement<object, { allowed: number }>(
  'jobs_count_allowed_connections',
  () => sql`
    select least(
        current_setting('max_connections')::int,
        case when not r.rolsuper then current_setting('max_connections')::int
          - current_setting('superuser_reserved_connections')::int - coalesce(current_setting('reserved_connections', true)::int, 0) end,
        case when not r.rolsuper and r.rolconnlimit >= 0 then r.rolconnlimit end,
        case when not r.rolsuper and d.datconnlimit >= 0 then d.datconnlimit end) as allowed
    from pg_roles r, pg_database d
    where r.rolname = session_user and d.datname = current_database()`,
)

/** How many connections the server would let this role have at most, if nobody else had any. */
export async function countAllowedConnections(queue: QueueConnection): Promise<number> {
  const [row] = await queue.run(query({}))
  return row?.allowed ?? Number.POSITIVE_INFINITY
}
