import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

const mostHits = 200

/** What to look for in a collection. */
export interface EmbeddingSearch {
  /** Of the same model as those that are searched, at any length; vectors with more or fewer numbers are not searched. */
  readonly vector: Float32Array
  /** The collection's `models.embedding`. */
  readonly model: string
  /** Default 10, at most 200. */
  readonly limit?: number | undefined
  /** From -1 to 1; less similar texts are no hits. Default: all are. */
  readonly leastSimilarity?: number | undefined
  /** A node that is not searched, as the one that others are compared with. */
  readonly exceptNodeId?: string | undefined
}

/** A text that is near. */
export interface EmbeddingHit {
  nodeId: string
  /** Which of the node's texts it is. */
  seq: number
  text: string
  /** Of what is spoken: where in the recording, in milliseconds. */
  startMs: number | null
  endMs: number | null
  /** The cosine: 1 says the same, 0 has nothing in common. */
  similarity: number
}

/**
 * The texts of a collection that are nearest in meaning, the nearest first, whichever way the database searches: see {@link readEmbeddingMode}. An index may miss a few; without one each text is
 * compared. Nodes that have left the collection are not found.
 * @throws the database's error `22023` for a vector of nothing, of zeros, or with something that is no number.
 */
export async function searchEmbeddings(db: StorageDatabase, collectionNodeId: string, search: EmbeddingSearch): Promise<EmbeddingHit[]> {
  const { vector, model, limit = 10, leastSimilarity = -1, exceptNodeId = null } = search
  const most = Math.trunc(Math.min(Math.max(limit, 0), mostHits)) || 0
  const { rows } = await sql<EmbeddingHit>`
    select node_id as "nodeId", seq, text, start_ms as "startMs", end_ms as "endMs", similarity
    from nearest_embeddings(${collectionNodeId}::uuid, ${`{${vector.join(',')}}`}::real[], ${model}, ${most}::integer, ${leastSimilarity}::float8,
      ${exceptNodeId}::uuid)`.execute(withTables(db))
  return rows
}
