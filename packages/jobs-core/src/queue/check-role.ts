import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/** Why row-level security does not hold for a role. */
export type RolePower = 'superuser' | 'bypassrls' | 'owner'

export interface RoleCheck {
  role: string
  /** Empty for a role as a worker should have. */
  powers: RolePower[]
}

const query = statement<object, RoleCheck>(
  'jobs_check_role',
  () => sql`
    select r.rolname::text as role, array_remove(array[
      case when r.rolsuper then 'superuser' end,
      case when r.rolbypassrls and not r.rolsuper then 'bypassrls' end,
      case when not r.rolsuper and pg_has_role(c.relowner, 'usage') then 'owner' end], null) as powers
    from pg_roles r, pg_class c
    where r.rolname = current_user and c.oid = 'job_queue'::regclass`,
)

/** Whether the worker's role is one that row-level security does not bind, or that could switch it off. */
export async function checkRole(queue: QueueConnection): Promise<RoleCheck> {
  const [row] = await queue.run(query({}))
  return row ?? { role: '', powers: [] }
}
