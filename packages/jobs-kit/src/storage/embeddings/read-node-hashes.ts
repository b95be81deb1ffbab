import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { EmbeddingTables } from './tables.ts'

/** Which of a node's texts have a vector of one model, and of how many numbers. */
export async function readNodeHashes(
  db: StorageDatabase,
  collectionNodeId: string,
  { nodeId, model }: { readonly nodeId: string; readonly model: string },
): Promise<Map<string, number>> {
  const rows = await withTables<EmbeddingTables>(db)
    .selectFrom('node_embeddings')
    .select(['text_hash', 'dimensions'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('node_id', '=', nodeId)
    .where('model', '=', model)
    .execute()
  return new Map(rows.map(({ text_hash, dimensions }) => [text_hash, dimensions]))
}
