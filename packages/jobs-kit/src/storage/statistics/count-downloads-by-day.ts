import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { type DownloadFilter, matchesFilter } from './download-filter.ts'

/** The downloads of one day. */
export interface DayDownloads {
  /** `2026-11-30`, in the collection's zone. */
  day: string
  downloads: number
}

/**
 * Downloads of a collection by day, oldest first. Days without downloads are absent.
 * @throws PermanentError `DAY_INVALID`
 */
export async function countDownloadsByDay(
  db: StorageDatabase,
  collectionNodeId: string,
  filter: DownloadFilter = {},
): Promise<DayDownloads[]> {
  const { rows } = await sql<{ day: string; downloads: string }>`
    select day::text as day, sum(downloads) as downloads
    from podcast_downloads
    where collection_node_id = ${collectionNodeId} and ${matchesFilter(filter)}
    group by podcast_downloads.day
    order by day
  `.execute(withTables(db))
  return rows.map(({ day, downloads }) => ({ day, downloads: Number(downloads) }))
}
