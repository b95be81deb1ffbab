import type { Kysely } from 'kysely'

/** Where a storage function runs: any Kysely instance or transaction, whatever tables it is typed for. */
export type StorageDatabase = Pick<Kysely<unknown>, 'executeQuery' | 'getExecutor' | 'isTransaction'>

/** The same connection, typed for `Tables`. */
export function withTables<Tables>(db: StorageDatabase): Kysely<Tables> {
  return db as Kysely<Tables>
}
