import { PermanentError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import { chunkNode, type HashedChunk, type Services } from '@sidelinja/jobs-kit'
import { replaceEmbeddings } from '@sidelinja/jobs-kit/storage'
import { checkUnchanged } from './check-unchanged.ts'
import { embedTexts } from './embed-texts.ts'
import { generateEmbeddings, type Result } from './job.ts'

/** A million tokens, or a few: a recording of a week has fewer. */
const mostTexts = 2_000

/**
 * Makes vectors of a node's title, content and transcript, so that it is found by what it means. Enqueued when a text was written or changed; nobody waits for it. Texts that have their vector
 * are not paid for again. Permanent: a node that is not the collection's (any more) or holds too much, a spent budget, a model that gives other vectors than the collection wants.
 */
export const createHandler = ({
  gateway,
  collections,
  transcripts,
  embeddings,
}: Pick<Services, 'gateway' | 'collections' | 'transcripts' | 'embeddings'>) =>
  defineHandler(
    generateEmbeddings,
    async (context) => {
      const { payload, job, signal } = context
      const { force = false } = payload
      const nodeId = payload.nodeId ?? payload.mediaNodeId ?? ''
      const settings = await collections.readSettings(job.collectionNodeId)
      const { title, content } = await collections.readNode(job.collectionNodeId, nodeId)
      const segments = await transcripts.read(job.collectionNodeId, nodeId)
      signal.throwIfAborted()
      const { chunkTokens } = settings.embeddings
      const chunks = chunkNode({ title, content, segments }, chunkTokens)
      checkNumber(nodeId, chunks)

      const model = settings.models.embedding
      const stored = force ? new Map<string, number>() : await embeddings.readHashes(job.collectionNodeId, { nodeId, model })
      signal.throwIfAborted()
      const { texts, dimensions, embedded } = await embedTexts(gateway, context, { chunks, stored, settings })
      return {
        result: { model, dimensions, texts: texts.length, embedded } satisfies Result,
        write: async (trx) => {
          await checkUnchanged(trx, { collectionNodeId: job.collectionNodeId, nodeId, chunks, chunkTokens })
          await replaceEmbeddings(trx, job.collectionNodeId, nodeId, { jobId: job.id, model, texts })
        },
      }
    },
    { services: ['gateway'] },
  )

function checkNumber(nodeId: string, chunks: readonly HashedChunk[]): void {
  if (chunks.length <= mostTexts) return
  throw new PermanentError(
    'TEXT_TOO_LONG',
    `Expected node ${nodeId} to have at most ${mostTexts} texts, got ${chunks.length}. Raise embeddings.chunkTokens in the collection's settings, or make several nodes of it.`,
  )
}
