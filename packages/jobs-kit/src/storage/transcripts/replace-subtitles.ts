import { sql } from 'kysely'
import type { SubtitleFormat } from '../../subtitles/render-subtitles.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { lockTranscript } from './lock-transcript.ts'
import type { TranscriptTables } from './tables.ts'

/** A medium's subtitle files. */
export interface NewSubtitles {
  /** The job that made them. */
  readonly jobId: string | null
  readonly language: string | null
  /** Each format once, at least one. */
  readonly files: readonly { readonly format: SubtitleFormat; readonly content: string }[]
}

/**
 * Puts subtitle files in place of the medium's old ones of the same formats.
 * @throws PermanentError `MEDIA_NODE_MISSING` when the medium's node is gone.
 */
export async function replaceSubtitles(
  trx: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  { jobId, language, files }: NewSubtitles,
): Promise<void> {
  await lockTranscript(trx, collectionNodeId, mediaNodeId)
  const row = { collection_node_id: collectionNodeId, media_node_id: mediaNodeId, job_id: jobId, language }
  await withTables<TranscriptTables>(trx)
    .insertInto('media_subtitles')
    // In one order, so that two who write them line up.
    .values(files.toSorted((a, b) => (a.format < b.format ? -1 : 1)).map((file) => ({ ...row, ...file })))
    .onConflict((conflict) =>
      conflict.columns(['collection_node_id', 'media_node_id', 'format']).doUpdateSet(({ ref }) => ({
        content: ref('excluded.content'),
        language: ref('excluded.language'),
        job_id: ref('excluded.job_id'),
        updated_at: sql`clock_timestamp()`,
      })),
    )
    .execute()
}
