import type { PoolClient } from 'pg'
import type { StatusType } from './facts.ts'

const query = `
  select t.typname as name, n.nspname as "schema", pg_has_role(t.typowner, 'usage') as owned,
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid) as labels
  from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_namespace n on n.oid = t.typnamespace
  where a.attrelid = to_regclass('job_queue') and a.attname = 'status' and not a.attisdropped`

export async function readStatusType(client: PoolClient): Promise<StatusType | null> {
  return (await client.query<StatusType>(query)).rows[0] ?? null
}
