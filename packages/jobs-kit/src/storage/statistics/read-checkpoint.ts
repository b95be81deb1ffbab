import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { LogCheckpoint } from './checkpoint.ts'
import type { StatisticsTables } from './tables.ts'

/** How far a collection's log has been read, or undefined when it never was. */
export async function readCheckpoint(db: StorageDatabase, collectionNodeId: string, path: string): Promise<LogCheckpoint | undefined> {
  const row = await withTables<StatisticsTables>(db)
    .selectFrom('podcast_log_checkpoints')
    .selectAll()
    .where('collection_node_id', '=', collectionNodeId)
    .where('path', '=', path)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    path: row.path,
    device: BigInt(row.device),
    inode: BigInt(row.inode),
    byteOffset: Number(row.byte_offset),
    headSha256: row.head_sha256,
    headLength: row.head_length,
    size: Number(row.size),
    lastTs: row.last_ts,
  }
}
