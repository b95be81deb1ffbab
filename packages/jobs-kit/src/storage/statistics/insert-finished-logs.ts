import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { StatisticsTables } from './tables.ts'

/** Rotated files of a log, by SHA-256 of their heads. */
export interface LogFiles {
  /** The log, relative to LOG_ROOT. */
  readonly path: string
  readonly heads: readonly Buffer[]
}

/** Records that rotated files of a log have been read to their end. */
export async function insertFinishedLogs(trx: StorageDatabase, collectionNodeId: string, { path, heads }: LogFiles): Promise<void> {
  await withTables<StatisticsTables>(trx)
    .insertInto('podcast_finished_logs')
    .values(heads.map((head) => ({ collection_node_id: collectionNodeId, path, head_sha256: head })))
    .onConflict((conflict) => conflict.columns(['collection_node_id', 'path', 'head_sha256']).doNothing())
    .execute()
}
