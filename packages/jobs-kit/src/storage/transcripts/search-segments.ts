import { sql } from 'kysely'
import type { SuspectReason } from '../../subtitles/segment.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** What to look for in a collection's transcripts. */
export interface SegmentSearch {
  /** As people write it: words, "a phrase", or, -without. */
  readonly query: string
  /** Languages by whose rules the words may be inflected; default `nb`, whose rules are those of `nn` too. */
  readonly languages?: readonly string[] | undefined
  /** Only in this medium. Default: in all. */
  readonly mediaNodeId?: string | undefined
  /** Default 50, at most 200. */
  readonly limit?: number | undefined
  /** So many of the best are passed over. Default 0. */
  readonly offset?: number | undefined
}

/** A segment in which it was found. */
export interface SegmentHit {
  mediaNodeId: string
  seq: number
  startMs: number
  endMs: number
  text: string
  speaker: string | null
  suspect: SuspectReason[]
}

/** Looks for words in everything a collection has transcribed. The best come first; of equally good ones of a medium the earlier. */
export async function searchSegments(db: StorageDatabase, collectionNodeId: string, search: SegmentSearch): Promise<SegmentHit[]> {
  const { query, languages = ['nb'], mediaNodeId, limit = 50, offset = 0 } = search
  if (languages.length === 0) return []
  const wanted = sql.join(
    languages.map((language) => sql`transcript_search_query(${language}, ${query})`),
    sql` || `,
  )
  const { rows } = await sql<SegmentHit>`
    select media_node_id as "mediaNodeId", seq, start_ms as "startMs", end_ms as "endMs", text, speaker, suspect
    from transcription_segments
    where collection_node_id = ${collectionNodeId}::uuid and search @@ (${wanted})
      and ${mediaNodeId === undefined ? sql`true` : sql`media_node_id = ${mediaNodeId}::uuid`}
    order by ts_rank(search, ${wanted}) desc, media_node_id, seq
    limit ${Math.min(Math.max(limit, 0), 200)} offset ${Math.max(offset, 0)}`.execute(withTables(db))
  return rows
}
