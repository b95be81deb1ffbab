import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** How many downloads to add to one count. */
export interface DownloadCount {
  /** The episode's path, as in the log, decoded and without its query. */
  readonly episode: string
  /** `2026-11-30`, in the collection's zone. */
  readonly day: string
  /** The podcast app or browser; `unknown` when the user agent is missing or in no list. */
  readonly app: string
  readonly downloads: number
}

/**
 * Adds to the counts.
 * @param counts each key once, sorted by it, so that two runs never wait for each other; a few thousand at most.
 */
export async function addDownloads(trx: StorageDatabase, collectionNodeId: string, counts: readonly DownloadCount[]): Promise<void> {
  await sql`
    insert into podcast_downloads as known (collection_node_id, episode, day, app, downloads)
    select ${collectionNodeId}::uuid, new.episode, new.day, new.app, new.downloads
    from unnest(
      ${counts.map((count) => count.episode)}::text[],
      ${counts.map((count) => count.day)}::date[],
      ${counts.map((count) => count.app)}::text[],
      ${counts.map((count) => count.downloads)}::bigint[]
    ) as new (episode, day, app, downloads)
    on conflict (collection_node_id, episode, day, app) do update set downloads = known.downloads + excluded.downloads
  `.execute(withTables(trx))
}
