import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** Until the transaction ends nobody else replaces the vectors of that node. What is read of the node afterwards is not older than what another job has written. */
export async function lockEmbeddings(trx: StorageDatabase, collectionNodeId: string, nodeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`embeddings ${collectionNodeId} ${nodeId}`}, 0))`.execute(withTables(trx))
}
