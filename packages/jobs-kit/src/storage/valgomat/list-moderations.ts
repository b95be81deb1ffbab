import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { NewModeration } from './upsert-moderations.ts'

/** What is known about a question. Text of strangers and of a model: escape it where it is shown. */
export interface StoredModeration extends NewModeration {
  readonly state: 'suggested' | 'accepted' | 'rejected'
  /** What a person has accepted. */
  readonly wording: string | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  /** For `decideModeration`: what a person has seen. */
  readonly updatedAt: Date
}

/** Moderated questions of a collection, cluster by cluster; at most 500. */
export async function listModerations(
  db: StorageDatabase,
  collectionNodeId: string,
  { state = null, limit = 100 }: { readonly state?: StoredModeration['state'] | null; readonly limit?: number } = {},
): Promise<StoredModeration[]> {
  const { rows } = await sql<StoredModeration>`
    select question_node_id as "questionId", original, neutral_text as "neutralText", changes, flags, verdict, cluster_node_id as "clusterOf",
      duplicate_of as "duplicateOf", similarity, opposites, state, wording, decided_by as "decidedBy", decided_at as "decidedAt", updated_at as "updatedAt"
    from valgomat_moderations
    where collection_node_id = ${collectionNodeId}::uuid and (${state}::text is null or state = ${state})
    order by cluster_node_id, question_node_id limit ${Math.min(Math.max(limit, 0), 500)}`.execute(withTables(db))
  return rows
}
