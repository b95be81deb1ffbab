import type { Segment } from '../../subtitles/segment.ts'
import { batches } from '../batches.ts'
import type { StorageDatabase } from '../storage-database.ts'
import { deleteSegmentsFrom } from './delete-segments-from.ts'
import { lockTranscript } from './lock-transcript.ts'
import { upsertSegments } from './upsert-segments.ts'
import { upsertTranscript } from './upsert-transcript.ts'

/** A whole transcript. */
export interface NewTranscript {
  /** The job that made it. */
  readonly jobId: string | null
  /** Language of the segments that do not say theirs; a tag such as `nb`. It decides how they can be searched. */
  readonly language: string | null
  /** In order, as `tidySegments` gives them. None: nothing was said. */
  readonly segments: readonly Segment[]
}

/**
 * Puts a transcript in place of the medium's old one, which others see until the transaction commits. Two that replace the same one wait
 * for each other; the later one stays.
 * @throws PermanentError `MEDIA_NODE_MISSING` when the medium's node is gone.
 */
export async function replaceSegments(
  trx: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  { jobId, language, segments }: NewTranscript,
): Promise<void> {
  await lockTranscript(trx, collectionNodeId, mediaNodeId)
  let firstSeq = 0
  for (const batch of batches(segments)) {
    await upsertSegments(trx, collectionNodeId, mediaNodeId, { jobId, language, firstSeq, segments: batch })
    firstSeq += batch.length
  }
  await deleteSegmentsFrom(trx, collectionNodeId, mediaNodeId, firstSeq)
  await upsertTranscript(trx, collectionNodeId, mediaNodeId, { jobId, language })
}
