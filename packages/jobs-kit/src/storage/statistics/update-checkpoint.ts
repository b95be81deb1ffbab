import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { LogCheckpoint } from './checkpoint.ts'
import { checkpointColumns } from './checkpoint-columns.ts'
import type { StatisticsTables } from './tables.ts'

interface Move {
  from: LogCheckpoint
  to: LogCheckpoint
}

/** Moves a log's checkpoint if it still stands where this run found it. False, and nothing written, when it does not. */
export async function updateCheckpoint(trx: StorageDatabase, collectionNodeId: string, { from, to }: Move): Promise<boolean> {
  const row = await withTables<StatisticsTables>(trx)
    .updateTable('podcast_log_checkpoints')
    .set(checkpointColumns(to))
    .where('collection_node_id', '=', collectionNodeId)
    .where('path', '=', from.path)
    .where('byte_offset', '=', String(from.byteOffset))
    .where('head_sha256', '=', from.headSha256)
    .returning('path')
    .executeTakeFirst()
  return row !== undefined
}
