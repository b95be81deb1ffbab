import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { TranscriptTables } from './tables.ts'

/** Deletes a medium's segments from number `seq` on. */
export async function deleteSegmentsFrom(trx: StorageDatabase, collectionNodeId: string, mediaNodeId: string, seq: number): Promise<void> {
  await withTables<TranscriptTables>(trx)
    .deleteFrom('transcription_segments')
    .where('collection_node_id', '=', collectionNodeId)
    .where('media_node_id', '=', mediaNodeId)
    .where('seq', '>=', seq)
    .execute()
}
