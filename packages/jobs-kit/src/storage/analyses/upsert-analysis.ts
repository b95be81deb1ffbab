import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { lockMediaNode } from '../media/lock-media-node.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { AnalysisTables } from './tables.ts'

/** What an AI made of a medium. */
export interface NewAnalysis {
  /** The job that made it. */
  readonly jobId: string | null
  readonly content: JsonValue
  readonly language: string | null
  /** The model's alias. */
  readonly model: string
  readonly promptVersion: string
}

/**
 * Puts an analysis in place of the medium's old one.
 * @throws PermanentError `MEDIA_NODE_MISSING` when the medium's node is gone.
 */
export async function upsertAnalysis(
  trx: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  { jobId, content, language, model, promptVersion }: NewAnalysis,
): Promise<void> {
  await lockMediaNode(trx, mediaNodeId)
  const row = { content: JSON.stringify(content), language, model, prompt_version: promptVersion, job_id: jobId }
  await withTables<AnalysisTables>(trx)
    .insertInto('media_analyses')
    .values({ collection_node_id: collectionNodeId, media_node_id: mediaNodeId, ...row })
    .onConflict((conflict) =>
      conflict.columns(['collection_node_id', 'media_node_id']).doUpdateSet({ ...row, updated_at: sql`clock_timestamp()` }),
    )
    .execute()
}
