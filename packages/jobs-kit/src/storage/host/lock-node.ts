import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** Keeps a node from being deleted until the transaction ends; it can still be edited. @returns false when it is gone. */
export async function lockNode(trx: StorageDatabase, nodeId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from nodes where id = ${nodeId}::uuid for key share`.execute(withTables(trx))
  return rows.length > 0
}
