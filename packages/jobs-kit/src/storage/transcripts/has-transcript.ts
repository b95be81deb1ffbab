import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** True where a medium has a transcript, also one in which nothing is said. Segments count without their entry, which older workers do not make. */
export async function hasTranscript(db: StorageDatabase, collectionNodeId: string, mediaNodeId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from media_transcripts where collection_node_id = ${collectionNodeId}::uuid and media_node_id = ${mediaNodeId}::uuid)
      or exists (select from transcription_segments where collection_node_id = ${collectionNodeId}::uuid and media_node_id = ${mediaNodeId}::uuid)
      as found`.execute(withTables(db))
  return rows[0]?.found === true
}
