import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { DownloadCount } from './add-downloads.ts'
import type { StatisticsTables } from './tables.ts'

/** A collection's download counts by episode, day and app, in that order. */
export async function listDownloads(db: StorageDatabase, collectionNodeId: string): Promise<DownloadCount[]> {
  const rows = await withTables<StatisticsTables>(db)
    .selectFrom('podcast_downloads')
    .select(['episode', sql<string>`day::text`.as('day'), 'app', 'downloads'])
    .where('collection_node_id', '=', collectionNodeId)
    .orderBy('episode')
    .orderBy('podcast_downloads.day')
    .orderBy('app')
    .execute()
  return rows.map((row) => ({ ...row, downloads: Number(row.downloads) }))
}
