import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** A topic that waits for somebody's answer. */
export interface StoredTopicSuggestion {
  /** For `acceptTopicSuggestion`. Text of a model, as `description`: escape it where it is shown. */
  name: string
  description: string
  /** The nodes that would be about it, and the words that bear it out; text of strangers. At most 20. */
  nodes: { nodeId: string; evidence: string }[]
}

/** Topics that are suggested in a collection and not decided yet, those that most nodes suggest first. At most 100. */
export async function listTopicSuggestions(
  db: StorageDatabase,
  collectionNodeId: string,
  { limit = 50 }: { readonly limit?: number } = {},
): Promise<StoredTopicSuggestion[]> {
  const { rows } = await sql<StoredTopicSuggestion>`
    select (array_agg(name order by updated_at, node_id))[1] as name, (array_agg(description order by updated_at, node_id))[1] as description,
      to_jsonb((array_agg(jsonb_build_object('nodeId', node_id, 'evidence', evidence) order by updated_at, node_id))[1:20]) as nodes
    from topic_suggestions
    where collection_node_id = ${collectionNodeId}::uuid and state = 'suggested'
    group by name_key
    order by count(*) desc, name_key limit ${Math.min(Math.max(limit, 0), 100)}`.execute(withTables(db))
  return rows
}
