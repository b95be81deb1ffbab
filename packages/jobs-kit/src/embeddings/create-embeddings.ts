import { ConfigurationError } from '@sidelinja/jobs-core'
import {
  type EmbeddingHit,
  type EmbeddingMode,
  type EmbeddingSearch,
  readEmbeddingMode,
  readNodeHashes,
  readNodeVectors,
  type StoredVector,
  searchEmbeddings,
} from '../storage/embeddings/index.ts'
import type { StorageDatabase } from '../storage/storage-database.ts'

/** What handlers read of vectors. However the database searches them, it is the same to a handler. */
export interface Embeddings {
  /** Which of a node's texts have a vector of a model, and of how many numbers. */
  readHashes(collectionNodeId: string, of: { nodeId: string; model: string }): Promise<Map<string, number>>
  /** The vectors of a node, of one model, in the order of its texts; at most so many. */
  readVectors(collectionNodeId: string, of: { nodeId: string; model: string; limit: number }): Promise<StoredVector[]>
  /** The texts of the collection that are nearest in meaning. */
  search(collectionNodeId: string, search: EmbeddingSearch): Promise<EmbeddingHit[]>
  /** For start-up. @returns how vectors are searched here, in a sentence. @throws ConfigurationError `EMBEDDINGS_UNMIGRATED` */
  check(needed: string): Promise<string>
}

/** Reads vectors from the database. */
export function createEmbeddings(db: StorageDatabase): Embeddings {
  return Object.freeze({
    readHashes: (collectionNodeId, of) => readNodeHashes(db, collectionNodeId, of),
    readVectors: (collectionNodeId, of) => readNodeVectors(db, collectionNodeId, of),
    search: (collectionNodeId, search) => searchEmbeddings(db, collectionNodeId, search),
    async check(needed) {
      return describeMode(await readEmbeddingMode(db).catch((error) => explain(error, needed)))
    },
  } satisfies Embeddings)
}

/** How vectors are searched, and what could make it faster. */
function describeMode({ mode, version, available, indexed }: EmbeddingMode): string {
  const exactly = 'by comparing with each text of a collection'
  const makeIndexes = 'run in psql: select statement from embedding_index_statements() \\gexec'
  if (mode === 'array') {
    return `Vectors are searched ${exactly}: pgvector is not installed${available ? `, though this server has it. For an index: create extension vector, then ${makeIndexes}` : ''}.`
  }
  if (indexed.length === 0)
    return `Vectors are searched ${exactly}: pgvector ${version} is installed, but has no index. For one: ${makeIndexes}.`
  return `Vectors are searched by pgvector ${version}, with an index for vectors of ${indexed.join(', ')} numbers; others ${exactly}.`
}

function explain(error: unknown, needed: string): never {
  // No such function.
  if ((error as { code?: unknown } | null)?.code !== '42883') throw error
  throw new ConfigurationError(
    'EMBEDDINGS_UNMIGRATED',
    `${needed} the table node_embeddings and its functions, which are not there. Run migrate first.`,
    {
      cause: error,
    },
  )
}
