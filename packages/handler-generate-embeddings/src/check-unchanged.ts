import { SnoozeError } from '@sidelinja/jobs-core'
import { chunkNode, type HashedChunk } from '@sidelinja/jobs-kit'
import { lockEmbeddings, lockNodeInCollection, readNodeInCollection, readSegments, type StorageDatabase } from '@sidelinja/jobs-kit/storage'

/** Whoever writes goes on writing. */
const againAfterMs = 10_000

/** What a job has embedded. */
export interface EmbeddedNode {
  readonly collectionNodeId: string
  readonly nodeId: string
  readonly chunks: readonly HashedChunk[]
  readonly chunkTokens: number
}

/**
 * Before vectors are written: a node that got another text while they were made may have those of the new one already, by another job, and they are not to be written over with older ones. The job goes on with what stands there now, uncharged; calls that
 * it has paid for are steps, and are not made again where their texts are the same.
 * @throws SnoozeError; PermanentError `NODE_NOT_IN_COLLECTION`
 */
export async function checkUnchanged(trx: StorageDatabase, { collectionNodeId, nodeId, chunks, chunkTokens }: EmbeddedNode): Promise<void> {
  await lockNodeInCollection(trx, collectionNodeId, nodeId)
  await lockEmbeddings(trx, collectionNodeId, nodeId)
  const node = await readNodeInCollection(trx, collectionNodeId, nodeId)
  const segments = await readSegments(trx, collectionNodeId, nodeId)
  const now = chunkNode({ title: node?.title ?? null, content: node?.content ?? null, segments }, chunkTokens)
  const isSame = now.length === chunks.length && now.every(({ hash }, index) => hash === chunks[index]?.hash)
  if (!isSame)
    throw new SnoozeError(againAfterMs, `Node ${nodeId} got another text while its vectors were made; those of the new one are made next.`)
}
