import type { PoolClient } from 'pg'
import type { Relation } from './facts.ts'

const query = `
  select c.relname as name, c.relkind::text as kind, c.relpersistence::text as persistence,
    c.relispartition or exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent)) as inherits,
    pg_has_role(c.relowner, 'usage') as owned, has_table_privilege(c.oid, 'references') as "mayReference",
    row_security_active(c.oid) as "hidesRows", coalesce(pg_total_relation_size(c.oid), 0)::float8 as bytes
  from pg_class c
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relname = any($1)`

/** Which of these names are tables, views or indexes of the current schema. */
export async function readRelations(client: PoolClient, names: readonly string[]): Promise<Relation[]> {
  return (await client.query<Relation>(query, [names])).rows
}
