import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { EmbeddingTables } from './tables.ts'

/** A vector that is there. */
export interface StoredVector {
  hash: string
  vector: Float32Array
}

/** The vectors of a node, of one model, in the order of its texts: what need not be paid for again. At most so many. */
export async function readNodeVectors(
  db: StorageDatabase,
  collectionNodeId: string,
  { nodeId, model, limit }: { readonly nodeId: string; readonly model: string; readonly limit: number },
): Promise<StoredVector[]> {
  const rows = await withTables<EmbeddingTables>(db)
    .selectFrom('node_embeddings')
    .select(['text_hash', 'embedding'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('node_id', '=', nodeId)
    .where('model', '=', model)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(({ text_hash, embedding }) => ({ hash: text_hash, vector: Float32Array.from(embedding) }))
}
