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
    select current_user::text as role, array_remove(array[
      case when bool_or(r.rolsuper) then 'superuser' end,
      case when bool_or(r.rolbypassrls) and not bool_or(r.rolsuper) then 'bypassrls' end,
      case when bool_or(r.oid = c.relowner) and not bool_or(r.rolsuper) then 'owner' end], null) as powers
    from pg_roles r, pg_class c
    where c.oid = 'job_queue'::regclass and pg_has_role(r.oid, 'member')`,
)

/** Whether the worker's role is one that row-level security does not bind, or that may become such a one by SET ROLE. */
export async function checkRole(queue: QueueConnection): Promise<RoleCheck> {
  const [row] = await queue.run(query({}))
  return row ?? { role: '', powers: [] }
}
