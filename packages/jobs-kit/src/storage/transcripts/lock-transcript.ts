import { sql } from 'kysely'
import { lockMediaNode } from '../media/lock-media-node.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/**
 * Waits until nobody else writes the medium's transcript or files, and keeps others waiting until the transaction ends. Whoever makes files of
 * what is there calls it before reading, or might write those of an older transcript over those of a newer one.
 * @throws PermanentError `MEDIA_NODE_MISSING` when the medium's node is gone.
 */
export async function lockTranscript(trx: StorageDatabase, collectionNodeId: string, mediaNodeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transcript ${collectionNodeId} ${mediaNodeId}`}, 0))`.execute(withTables(trx))
  await lockMediaNode(trx, mediaNodeId)
}
