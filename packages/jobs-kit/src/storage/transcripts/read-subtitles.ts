import type { SubtitleFormat } from '../../subtitles/render-subtitles.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { TranscriptTables } from './tables.ts'

/** A subtitle file as it is served. */
export interface StoredSubtitles {
  content: string
  language: string | null
  updatedAt: Date
}

/** A medium's subtitle file of one format; undefined when none was made. */
export async function readSubtitles(
  db: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  format: SubtitleFormat,
): Promise<StoredSubtitles | undefined> {
  return await withTables<TranscriptTables>(db)
    .selectFrom('media_subtitles')
    .select(['content', 'language', 'updated_at as updatedAt'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('media_node_id', '=', mediaNodeId)
    .where('format', '=', format)
    .executeTakeFirst()
}
