import type { JsonValue } from '@sidelinja/jobs-core'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { MinutesTables } from './tables.ts'

/** Minutes as they are served. */
export interface StoredMinutes {
  content: JsonValue
  /** What a job made after somebody had edited the content; null: nothing. */
  suggestion: JsonValue | null
  language: string | null
  model: string
  promptVersion: string
  /** The newest job that made any. */
  jobId: string | null
  updatedAt: Date
}

/** A meeting's minutes; undefined when none were made. */
export async function readMinutes(db: StorageDatabase, collectionNodeId: string, mediaNodeId: string): Promise<StoredMinutes | undefined> {
  return await withTables<MinutesTables>(db)
    .selectFrom('meeting_minutes')
    .select(['content', 'suggestion', 'language', 'model', 'prompt_version as promptVersion', 'job_id as jobId', 'updated_at as updatedAt'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('media_node_id', '=', mediaNodeId)
    .executeTakeFirst()
}
