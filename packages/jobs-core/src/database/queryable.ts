import type { CompiledQuery, QueryResult } from 'kysely'

/** The one method of Kysely (instance or transaction) that is used; any table types fit. */
export interface KyselyLike {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>
}

/** The one method of a `pg` client or pool that is used. */
export interface PgLike {
  // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads; rows are typed by the caller
  query(text: string, values?: any[]): Promise<{ rows: any[] }>
}

/** Where a statement runs: a Kysely instance or transaction, or a `pg` client or pool. */
export type Queryable = KyselyLike | PgLike

/** Runs a compiled statement on whatever the caller has. */
export async function runQuery<Row>(db: Queryable, query: CompiledQuery<Row>): Promise<Row[]> {
  if ('executeQuery' in db) return (await db.executeQuery(query)).rows
  return (await db.query(query.sql, query.parameters as unknown[])).rows
}
