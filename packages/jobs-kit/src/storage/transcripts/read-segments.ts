import type { Segment, SuspectReason } from '../../subtitles/segment.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { TranscriptTables } from './tables.ts'

/** A medium's transcript, in order; empty when nothing was said, or when there is none: see {@link hasTranscript}. */
export async function readSegments(db: StorageDatabase, collectionNodeId: string, mediaNodeId: string): Promise<Segment[]> {
  const rows = await withTables<TranscriptTables>(db)
    .selectFrom('transcription_segments')
    .select(['start_ms', 'end_ms', 'text', 'speaker', 'avg_logprob', 'no_speech_prob', 'compression_ratio', 'language', 'suspect', 'raw'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('media_node_id', '=', mediaNodeId)
    .orderBy('seq')
    .execute()
  return rows.map((row) => ({
    startMs: row.start_ms,
    endMs: row.end_ms,
    text: row.text,
    speaker: row.speaker,
    avgLogprob: row.avg_logprob,
    noSpeechProb: row.no_speech_prob,
    compressionRatio: row.compression_ratio,
    language: row.language,
    suspect: row.suspect as SuspectReason[],
    raw: row.raw,
  }))
}
