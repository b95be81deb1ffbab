import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { StatisticsTables } from './tables.ts'

/** SHA-256 of the heads of a log's rotated files that were read to their end. */
export async function readFinishedLogs(db: StorageDatabase, collectionNodeId: string, path: string): Promise<Buffer[]> {
  const rows = await withTables<StatisticsTables>(db)
    .selectFrom('podcast_finished_logs')
    .select('head_sha256')
    .where('collection_node_id', '=', collectionNodeId)
    .where('path', '=', path)
    .execute()
  return rows.map((row) => row.head_sha256)
}
