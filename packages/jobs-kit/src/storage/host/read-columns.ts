import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

export interface Column {
  table: string
  column: string
  /** As PostgreSQL prints it (`timestamp with time zone`); of a domain the type below it. */
  type: string
  /** True for text, varchar, enums and their like. */
  textLike: boolean
}

/** The real columns of tables or views, as an unqualified name finds them on the search path. */
export async function readColumns(db: StorageDatabase, tables: readonly string[]): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select wanted.name as "table", a.attname as "column", format_type(base.oid, null) as "type",
           base.typcategory in ('S', 'E') as "textLike"
    from unnest(${[...tables]}::text[]) as wanted (name)
    join pg_catalog.pg_attribute a on a.attrelid = to_regclass(wanted.name) and a.attnum > 0 and not a.attisdropped
    join pg_catalog.pg_type own on own.oid = a.atttypid
    join pg_catalog.pg_type base on base.oid = coalesce(nullif(own.typbasetype, 0), own.oid)
    order by 1, a.attnum`.execute(withTables(db))
  return rows
}
