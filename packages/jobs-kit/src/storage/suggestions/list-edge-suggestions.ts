import { sql } from 'kysely'
import { inCollectionAsSource } from '../host/in-collection.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** An edge that waits for somebody's answer. */
export interface StoredEdgeSuggestion {
  /** Of the edge: for `acceptEdgeSuggestion`. */
  id: string
  sourceId: string
  targetId: string
  /** Title of the node that it leads to. Text of strangers: escape it where it is shown. */
  targetTitle: string | null
  relation: string
  confidence: number
  /** Words of the source that bear it out. */
  evidence: string
}

/** What is suggested in a collection and not decided yet, the surest first; of one node, or of all. At most 100. */
export async function listEdgeSuggestions(
  db: StorageDatabase,
  collectionNodeId: string,
  { nodeId = null, limit = 50 }: { readonly nodeId?: string | null; readonly limit?: number } = {},
): Promise<StoredEdgeSuggestion[]> {
  const { rows } = await sql<StoredEdgeSuggestion>`
    select s.id, s.source_id as "sourceId", s.target_id as "targetId", t.title as "targetTitle", s.kind as relation,
      coalesce((s.metadata #>> '{suggestion,confidence}')::float8, 0) as confidence, coalesce(s.metadata #>> '{suggestion,evidence}', '') as evidence
    from edges s join nodes t on t.id = s.target_id
    where s.status::text = 'suggested' and (${nodeId}::uuid is null or s.source_id = ${nodeId}::uuid)
      and ${inCollectionAsSource(sql.ref('s.source_id'), collectionNodeId)} and ${inCollectionAsSource(sql.ref('s.target_id'), collectionNodeId)}
    order by confidence desc, s.id limit ${Math.min(Math.max(limit, 0), 100)}`.execute(withTables(db))
  return rows
}
