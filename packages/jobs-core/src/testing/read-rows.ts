import type { CompiledQuery } from 'kysely'
import { compiler } from '../database/compiler.ts'
import type { KyselyLike, Queryable } from '../database/queryable.ts'

/** A statement of Kysely's builder, or of its `sql`, that has been compiled. */
type Compiled<Row> = CompiledQuery<Row>

/**
 * Runs a statement on whatever the caller has and gives its rows with the columns' own names: a plugin of the caller's Kysely (CamelCasePlugin)
 * must not rename them.
 */
export async function readRows<Row>(db: Queryable, statement: Compiled<Row>): Promise<Row[]> {
  if (!('executeQuery' in db)) return (await db.query(statement.sql, [...statement.parameters])).rows
  return (await withoutPlugins(db).executeQuery(statement)).rows
}

/** Builds statements for {@link readRows}; runs none itself. */
export const builder = compiler

function withoutPlugins(db: KyselyLike & { withoutPlugins?: () => KyselyLike }): KyselyLike {
  return db.withoutPlugins?.() ?? db
}
