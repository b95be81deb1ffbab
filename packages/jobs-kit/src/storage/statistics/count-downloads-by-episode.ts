import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { type DownloadFilter, matchesFilter } from './download-filter.ts'

/** The downloads of one episode. */
export interface EpisodeDownloads {
  /** The decoded path, without its query. */
  episode: string
  downloads: number
}

/**
 * Downloads of a collection by episode, the most downloaded first. Episodes without downloads are absent.
 * @throws PermanentError `DAY_INVALID`
 */
export async function countDownloadsByEpisode(
  db: StorageDatabase,
  collectionNodeId: string,
  filter: DownloadFilter = {},
): Promise<EpisodeDownloads[]> {
  const { rows } = await sql<{ episode: string; downloads: string }>`
    select episode, sum(downloads) as downloads
    from podcast_downloads
    where collection_node_id = ${collectionNodeId} and ${matchesFilter(filter)}
    group by podcast_downloads.episode
    order by downloads desc, episode
  `.execute(withTables(db))
  return rows.map(({ episode, downloads }) => ({ episode, downloads: Number(downloads) }))
}
