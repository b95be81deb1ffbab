import type { JsonValue } from '@sidelinja/jobs-core'
import type { Generated } from 'kysely'

interface SegmentsTable {
  collection_node_id: string
  media_node_id: string
  seq: number
  job_id: string | null
  start_ms: number
  end_ms: number
  text: string
  speaker: string | null
  avg_logprob: number | null
  no_speech_prob: number | null
  compression_ratio: number | null
  language: string | null
  suspect: string[]
  raw: { readonly [key: string]: JsonValue } | null
}

interface SubtitlesTable {
  collection_node_id: string
  media_node_id: string
  format: 'srt' | 'vtt' | 'txt' | 'json'
  content: string
  language: string | null
  job_id: string | null
  updated_at: Generated<Date>
}

interface TranscriptsTable {
  collection_node_id: string
  media_node_id: string
  language: string | null
  job_id: string | null
  updated_at: Generated<Date>
}

/** The tables of migrations/handlers/0006_transcripts.sql and 0010_media_transcripts.sql. */
export interface TranscriptTables {
  media_transcripts: TranscriptsTable
  transcription_segments: SegmentsTable
  media_subtitles: SubtitlesTable
}
