import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { TranscriptTables } from './tables.ts'

/** What is known of a transcript beside its segments. */
export interface StoredTranscript {
  /** Tag of the segments that do not say theirs. */
  language: string | null
  /** The job that wrote it; old jobs are deleted. */
  jobId: string | null
}

/** That a medium has a transcript, and who wrote it; undefined when there is none, and for one that a worker of an older release wrote. */
export async function readTranscript(
  db: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
): Promise<StoredTranscript | undefined> {
  return await withTables<TranscriptTables>(db)
    .selectFrom('media_transcripts')
    .select(['language', 'job_id as jobId'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('media_node_id', '=', mediaNodeId)
    .executeTakeFirst()
}
