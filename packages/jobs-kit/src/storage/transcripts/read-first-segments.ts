import { sql } from 'kysely'
import type { SuspectReason } from '../../subtitles/segment.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { TranscriptTables } from './tables.ts'

/** A segment as a page shows it. */
export interface ShownSegment {
  startMs: number
  endMs: number
  /** The first 4,000 characters. */
  text: string
  speaker: string | null
  language: string | null
  suspect: SuspectReason[]
}

/** Where a transcript begins. */
export interface FirstSegments {
  segments: ShownSegment[]
  /** Whether there are others after these. */
  more: boolean
}

const longestText = 4_000

/** The first segments of a medium's transcript, in order: for a page, which shows a bounded part of what may be a day of speech. */
export async function readFirstSegments(
  db: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  limit: number,
): Promise<FirstSegments> {
  const segments = await withTables<TranscriptTables>(db)
    .selectFrom('transcription_segments')
    .select(['start_ms as startMs', 'end_ms as endMs', 'speaker', 'language'])
    .select([sql<string>`left(text, ${longestText})`.as('text'), sql<SuspectReason[]>`suspect`.as('suspect')])
    .where('collection_node_id', '=', collectionNodeId)
    .where('media_node_id', '=', mediaNodeId)
    .orderBy('seq')
    .limit(limit + 1)
    .execute()
  return { segments: segments.slice(0, limit), more: segments.length > limit }
}
