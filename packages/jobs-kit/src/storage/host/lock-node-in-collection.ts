import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollection } from './in-collection.ts'

/** Keeps a collection's node from being deleted until the transaction ends. @returns false when it is gone, or is the collection's no longer. */
export async function lockNodeInCollection(trx: StorageDatabase, collectionNodeId: string, nodeId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from nodes where id = ${nodeId}::uuid and ${inCollection(sql.ref('nodes.id'), collectionNodeId)} for key share`.execute(
    withTables(trx),
  )
  return rows.length > 0
}
