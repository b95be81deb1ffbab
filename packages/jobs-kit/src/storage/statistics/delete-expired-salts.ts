import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { StatisticsTables } from './tables.ts'

/** Deletes the salts, with their listener days, of days that have been over for 48 hours: nobody can be recognised by them any more. */
export async function deleteExpiredSalts(trx: StorageDatabase, collectionNodeId: string, now: Date): Promise<void> {
  await withTables<StatisticsTables>(trx)
    .deleteFrom('podcast_salts')
    .where('collection_node_id', '=', collectionNodeId)
    .where('expires_at', '<=', now)
    .execute()
}
