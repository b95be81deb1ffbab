import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/**
 * Makes the transactions about one page wait for each other. In a statement of its own before `upsertPageNode`, which then sees what the one before has done: two people may clip a page at one moment, and
 * there may be no row yet to lock.
 */
export async function lockPageNode(trx: StorageDatabase, collectionNodeId: string, nodeId: string): Promise<void> {
  const name = `page node ${nodeId} in ${collectionNodeId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(withTables(trx))
}
