import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { LogCheckpoint } from './checkpoint.ts'
import { checkpointColumns } from './checkpoint-columns.ts'
import type { StatisticsTables } from './tables.ts'

/** Records a log's first checkpoint. False, and nothing written, when it has one already. Waits for a transaction doing the same. */
export async function insertCheckpoint(trx: StorageDatabase, collectionNodeId: string, to: LogCheckpoint): Promise<boolean> {
  const row = await withTables<StatisticsTables>(trx)
    .insertInto('podcast_log_checkpoints')
    .values({ collection_node_id: collectionNodeId, path: to.path, ...checkpointColumns(to) })
    .onConflict((conflict) => conflict.columns(['collection_node_id', 'path']).doNothing())
    .returning('path')
    .executeTakeFirst()
  return row !== undefined
}
