import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { type DownloadFilter, matchesFilter } from './download-filter.ts'

/** The downloads of one app. */
export interface AppDownloads {
  /** `unknown` when the user agent is missing or in no list. */
  app: string
  downloads: number
}

/**
 * Downloads of a collection by podcast app or browser, the most used first.
 * @throws PermanentError `DAY_INVALID`
 */
export async function countDownloadsByApp(
  db: StorageDatabase,
  collectionNodeId: string,
  filter: DownloadFilter = {},
): Promise<AppDownloads[]> {
  const { rows } = await sql<{ app: string; downloads: string }>`
    select app, sum(downloads) as downloads
    from podcast_downloads
    where collection_node_id = ${collectionNodeId} and ${matchesFilter(filter)}
    group by podcast_downloads.app
    order by downloads desc, app
  `.execute(withTables(db))
  return rows.map(({ app, downloads }) => ({ app, downloads: Number(downloads) }))
}
