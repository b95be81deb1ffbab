import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollectionAsSource } from './in-collection.ts'
import { nodeLeft } from './node-left.ts'

/**
 * Before a row about a node is written: minutes pass between the read and the write of a job that asks a model. Keeps the node from being deleted until the transaction ends.
 * @throws PermanentError `NODE_NOT_IN_COLLECTION` when it is gone, or is not the collection's (any more).
 */
export async function lockNodeInCollection(trx: StorageDatabase, collectionNodeId: string, nodeId: string): Promise<void> {
  const { rows } = await sql`
    select 1 from nodes where id = ${nodeId}::uuid and ${inCollectionAsSource(sql.ref('nodes.id'), collectionNodeId)} for key share`.execute(
    withTables(trx),
  )
  if (rows.length === 0) throw nodeLeft(`node ${nodeId}`)
}
