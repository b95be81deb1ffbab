import { TransientError } from '@sidelinja/jobs-core'
import { batches } from '../batches.ts'
import type { StorageDatabase } from '../storage-database.ts'
import { deleteEmbeddingsBut } from './delete-embeddings-but.ts'
import { type EmbeddingRow, insertEmbeddings } from './insert-embeddings.ts'
import { lockEmbeddings } from './lock-embeddings.ts'
import { moveEmbeddings } from './move-embeddings.ts'

/** A text of a node, and its vector; null where the one that is there is to stay. */
export interface NewEmbedding extends Omit<EmbeddingRow, 'vector' | 'seq'> {
  readonly vector: Float32Array | null
}

/** All texts of a node, in order. */
export interface NewEmbeddings {
  readonly jobId: string | null
  readonly model: string
  /** Each hash once. */
  readonly texts: readonly NewEmbedding[]
}

/**
 * Puts these in place of all vectors that the node has, of whichever model. Two that replace the same ones wait for each other; the later one stays. The node must exist: see
 * `lockNodeInCollection`.
 * @throws TransientError `EMBEDDINGS_CHANGED` when one that was to stay is gone.
 */
export async function replaceEmbeddings(
  trx: StorageDatabase,
  collectionNodeId: string,
  nodeId: string,
  { jobId, model, texts }: NewEmbeddings,
): Promise<void> {
  await lockEmbeddings(trx, collectionNodeId, nodeId)
  const numbered = texts.map((text, seq) => ({ ...text, seq }))
  await deleteEmbeddingsBut(trx, collectionNodeId, { nodeId, model, hashes: texts.map(({ hash }) => hash) })
  const kept = numbered.filter(({ vector }) => vector === null)
  const found = await moveEmbeddings(trx, collectionNodeId, { nodeId, model, texts: kept })
  if (found < kept.length) {
    throw new TransientError(
      'EMBEDDINGS_CHANGED',
      `Expected ${kept.length} of the node's texts to have their vectors already, found ${found}: another job has changed them meanwhile.`,
    )
  }
  const rows = numbered.flatMap(({ vector, ...text }) => (vector === null ? [] : [{ ...text, vector }]))
  for (const batch of batches(rows)) await insertEmbeddings(trx, collectionNodeId, { nodeId, model, jobId, rows: batch })
}
