import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** What a run has learnt about the size of an episode's file. */
export interface EpisodeFile {
  readonly episode: string
  readonly totalBytes: number
  /** True when an answer declared it; false when it is only the longest body seen. */
  readonly declared: boolean
}

/**
 * Keeps the newest declared size of each file, or the longest body while none was declared.
 * @param files sorted by episode, so that two runs never wait for each other; each episode once.
 */
export async function mergeEpisodeFiles(trx: StorageDatabase, collectionNodeId: string, files: readonly EpisodeFile[]): Promise<void> {
  await sql`
    insert into podcast_episode_files as known (collection_node_id, episode, total_bytes, declared)
    select ${collectionNodeId}::uuid, seen.episode, seen.total_bytes, seen.declared
    from unnest(
      ${files.map((file) => file.episode)}::text[],
      ${files.map((file) => file.totalBytes)}::bigint[],
      ${files.map((file) => file.declared)}::boolean[]
    ) as seen (episode, total_bytes, declared)
    on conflict (collection_node_id, episode) do update
    set total_bytes = excluded.total_bytes, declared = excluded.declared, updated_at = clock_timestamp()
    where (excluded.declared and known.total_bytes <> excluded.total_bytes)
       or (excluded.declared and not known.declared)
       or (not known.declared and known.total_bytes < excluded.total_bytes)
  `.execute(withTables(trx))
}
