import { PermanentError } from '@sidelinja/jobs-core'
import { readNode } from '../storage/host/index.ts'
import { mediaNodeMissing } from '../storage/media/media-node-missing.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'
import { hasTranscript, readSegments } from '../storage/transcripts/index.ts'
import type { Segment } from '../subtitles/segment.ts'

/** What handlers read of transcripts. */
export interface Transcripts {
  /** A medium's transcript, in order; empty when nothing was said, or when there is none. */
  read(collectionNodeId: string, mediaNodeId: string): Promise<Segment[]>
  /**
   * Before work that takes an hour: the node that the transcript will belong to exists.
   * @throws PermanentError `MEDIA_NODE_MISSING`
   */
  checkMediaNode(mediaNodeId: string): Promise<void>
  /**
   * Before `read`, where a medium that was never transcribed is not the same as one in which nothing is said.
   * @throws PermanentError `TRANSCRIPT_MISSING`
   */
  checkTranscribed(collectionNodeId: string, mediaNodeId: string): Promise<void>
}

/** Reads transcripts from the database. */
export function createTranscripts(db: StorageDatabase): Transcripts {
  return Object.freeze({
    read: (collectionNodeId: string, mediaNodeId: string) => readSegments(db, collectionNodeId, mediaNodeId),
    async checkMediaNode(mediaNodeId: string) {
      if ((await readNode(db, mediaNodeId)) === undefined) throw mediaNodeMissing(mediaNodeId)
    },
    async checkTranscribed(collectionNodeId: string, mediaNodeId: string) {
      if (!(await hasTranscript(db, collectionNodeId, mediaNodeId))) throw transcriptMissing(collectionNodeId, mediaNodeId)
    },
  })
}

function transcriptMissing(collectionNodeId: string, mediaNodeId: string): PermanentError {
  return new PermanentError(
    'TRANSCRIPT_MISSING',
    `Expected node ${mediaNodeId} to have a transcript in collection ${collectionNodeId}; it was never transcribed. Enqueue whisper_transcribe for the recording, or srt_parse for its subtitles, then retry this job.`,
  )
}
