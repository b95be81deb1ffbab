import type { PoolClient } from 'pg'
import type { UniqueKey } from './facts.ts'

const query = `
  select c.relname as "table", i.indisprimary as primary,
    array(select a.attname::text from unnest(i.indkey[0:i.indnkeyatts - 1]) k join pg_attribute a on a.attrelid = c.oid and a.attnum = k) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relname = any($1)
    and i.indisunique and i.indimmediate and i.indisvalid and i.indpred is null and i.indexprs is null`

/** Keys that a foreign key may point to. */
export async function readUniqueKeys(client: PoolClient, tables: readonly string[]): Promise<UniqueKey[]> {
  return (await client.query<UniqueKey>(query, [tables])).rows
}
