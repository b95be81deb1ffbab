import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { StatisticsTables } from './tables.ts'

/** Deletes the salts of days that have been over for 48 hours: their listeners can no longer be recognised by anyone. */
export async function deleteExpiredSalts(trx: StorageDatabase, collectionNodeId: string, now: Date): Promise<void> {
  await withTables<StatisticsTables>(trx)
    .deleteFrom('podcast_salts')
    .where('collection_node_id', '=', collectionNodeId)
    .where('expires_at', '<=', now)
    .execute()
}
