import type { PoolClient } from 'pg'
import type { Column } from './facts.ts'

const query = `
  select c.relname as "table", a.attname as name, format_type(base.oid, null) as type, a.attnotnull as "notNull",
    pg_get_expr(d.adbin, d.adrelid) as default, a.attidentity <> '' or a.attgenerated <> '' as automatic,
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = base.oid) as labels
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type own on own.oid = a.atttypid
  join pg_type base on base.oid = coalesce(nullif(own.typbasetype, 0), own.oid)
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relname = any($1)
  order by c.relname, a.attnum`

export async function readColumns(client: PoolClient, tables: readonly string[]): Promise<Column[]> {
  return (await client.query<Column>(query, [tables])).rows
}
