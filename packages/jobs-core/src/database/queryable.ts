import { CompiledQuery, type QueryResult } from 'kysely'
import type { NamedQuery } from './statement.ts'

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

/** Runs a statement on whatever the caller has. */
export async function runQuery<Row>(db: Queryable, query: NamedQuery<Row>): Promise<Row[]> {
  if ('executeQuery' in db) return (await db.executeQuery(CompiledQuery.raw(query.text, query.values) as CompiledQuery<Row>)).rows
  return (await db.query(query.text, query.values)).rows
}
