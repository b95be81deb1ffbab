import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { TranscriptTables } from './tables.ts'

/** Enters that a medium has a transcript, in place of what was entered before. */
export async function upsertTranscript(
  trx: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  { jobId, language }: { readonly jobId: string | null; readonly language: string | null },
): Promise<void> {
  const row = { language, job_id: jobId }
  await withTables<TranscriptTables>(trx)
    .insertInto('media_transcripts')
    .values({ collection_node_id: collectionNodeId, media_node_id: mediaNodeId, ...row })
    .onConflict((conflict) =>
      conflict.columns(['collection_node_id', 'media_node_id']).doUpdateSet({ ...row, updated_at: sql`clock_timestamp()` }),
    )
    .execute()
}
