import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { LogFiles } from './insert-finished-logs.ts'
import type { StatisticsTables } from './tables.ts'

/** Forgets the rotated files of a log that are there no more: all but those in `heads`. */
export async function forgetFinishedLogs(trx: StorageDatabase, collectionNodeId: string, { path, heads }: LogFiles): Promise<void> {
  await withTables<StatisticsTables>(trx)
    .deleteFrom('podcast_finished_logs')
    .where('collection_node_id', '=', collectionNodeId)
    .where('path', '=', path)
    .where('head_sha256', '<>', sql<Buffer>`all(${heads}::bytea[])`)
    .execute()
}
