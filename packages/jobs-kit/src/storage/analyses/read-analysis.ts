import type { JsonValue } from '@sidelinja/jobs-core'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { AnalysisTables } from './tables.ts'

/** An analysis as it is served. */
export interface StoredAnalysis {
  content: JsonValue
  language: string | null
  model: string
  promptVersion: string
  updatedAt: Date
}

/** A medium's analysis; undefined when none was made. */
export async function readAnalysis(
  db: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
): Promise<StoredAnalysis | undefined> {
  return await withTables<AnalysisTables>(db)
    .selectFrom('media_analyses')
    .select(['content', 'language', 'model', 'prompt_version as promptVersion', 'updated_at as updatedAt'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('media_node_id', '=', mediaNodeId)
    .executeTakeFirst()
}
