import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { StatisticsTables } from './tables.ts'

/** The sizes in bytes of the given episodes' files, by episode; unknown ones are absent. */
export async function readEpisodeSizes(
  trx: StorageDatabase,
  collectionNodeId: string,
  episodes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await withTables<StatisticsTables>(trx)
    .selectFrom('podcast_episode_files')
    .select(['episode', 'total_bytes'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('episode', '=', sql<string>`any(${episodes}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.episode, Number(row.total_bytes)]))
}
