import { sql } from 'kysely'
import type { Segment } from '../../subtitles/segment.ts'
import { storable } from '../../subtitles/storable.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** Part of a medium's transcript. */
export interface SegmentRows {
  readonly jobId: string | null
  readonly language: string | null
  /** `seq` of the first. */
  readonly firstSeq: number
  readonly segments: readonly Segment[]
}

/** Writes segments over those with the same numbers; a thousand at most. */
export async function upsertSegments(
  trx: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  { jobId, language, firstSeq, segments }: SegmentRows,
): Promise<void> {
  const rows = segments.map((segment, index) => ({ ...segment, seq: firstSeq + index, language: segment.language ?? language }))
  await sql`
    insert into transcription_segments (collection_node_id, media_node_id, job_id, seq, start_ms, end_ms, text, speaker,
      avg_logprob, no_speech_prob, compression_ratio, language, suspect, raw)
    select ${collectionNodeId}::uuid, ${mediaNodeId}::uuid, ${jobId}::uuid, seq, "startMs", "endMs", text, speaker,
      "avgLogprob", "noSpeechProb", "compressionRatio", language, suspect, raw
    from json_to_recordset(${JSON.stringify(rows, cleanTexts)}::json) as rows (seq integer, "startMs" integer, "endMs" integer, text text, speaker text,
      "avgLogprob" float8, "noSpeechProb" float8, "compressionRatio" float8, language text, suspect text[], raw jsonb)
    on conflict (collection_node_id, media_node_id, seq) do update
    set job_id = excluded.job_id, start_ms = excluded.start_ms, end_ms = excluded.end_ms, text = excluded.text, speaker = excluded.speaker,
      avg_logprob = excluded.avg_logprob, no_speech_prob = excluded.no_speech_prob, compression_ratio = excluded.compression_ratio,
      language = excluded.language, suspect = excluded.suspect, raw = excluded.raw`.execute(withTables(trx))
}

/** Segments need not come from `tidySegments`. */
function cleanTexts(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? storable(value) : value
}
