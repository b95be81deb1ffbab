import { PermanentError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import type { Services } from '@sidelinja/jobs-kit'
import { insertEdge, insertEdgeBetween, lockPageNode, pageNodeId, type StorageDatabase, upsertPageNode } from '@sidelinja/jobs-kit/storage'
import { clipOf } from './clip-of.ts'
import { type Result, urlIngest } from './job.ts'
import { notSummedUp, sumUp } from './sum-up.ts'

/**
 * Keeps a page of the web as a node of kind `clip` of the collection, with summary and claims, for somebody who waits. What stands in an article's place (a request for consent, a paywall,
 * a page that is gone …) is stored as that, and no model is asked. One page is one node of the collection, whoever asks for it. Permanent: an address that leads inside, what is no page or is too long,
 * a node that left the collection, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ web, gateway, collections }: Pick<Services, 'web' | 'gateway' | 'collections'>) =>
  defineHandler(
    urlIngest,
    async (context) => {
      const { payload, job, signal, step, progress } = context
      const { collectionNodeId } = job
      const settings = await collections.readSettings(collectionNodeId)
      signal.throwIfAborted()
      const { forNodeId } = payload
      if (forNodeId !== undefined) await collections.readNode(collectionNodeId, forNodeId)
      signal.throwIfAborted()
      progress(0, 'Henter siden')
      // A durable step: what a model was asked stays about the page as it was then.
      const page = await step('page', () => web.read(payload, signal))
      const summedUp = page.obstacle === null ? await sumUp(gateway, context, { page, settings }) : notSummedUp
      const { title, content, clip } = clipOf(page, summedUp, payload)

      const nodeId = pageNodeId(collectionNodeId, page.key)
      const node = { id: nodeId, kind: 'clip', title, content, clip: { ...clip, jobId: job.id } }
      return {
        write: async (trx) => {
          await lockPageNode(trx, collectionNodeId, nodeId)
          const outcome = await upsertPageNode(trx, collectionNodeId, node)
          if (outcome === 'foreign') throw nodeLeft(nodeId)
          await insertEdge(trx, collectionNodeId, { nodeId, kind: 'contains' })
          if (forNodeId !== undefined) await tieTo(trx, collectionNodeId, { forNodeId, nodeId })
          const { quality, obstacle } = clip
          const of = { status: page.status, bytes: page.bytes, characters: content.length }
          return { result: { nodeId, outcome, quality, obstacle, ...of, ...summedUp.told } satisfies Result }
        },
      }
    },
    { services: ['gateway'] },
  )

/** In the end as at the beginning: it may have left the collection meanwhile. */
async function tieTo(trx: StorageDatabase, collectionNodeId: string, { forNodeId, nodeId }: { forNodeId: string; nodeId: string }) {
  if (await insertEdgeBetween(trx, collectionNodeId, { sourceId: forNodeId, targetId: nodeId, kind: 'source' })) return
  throw new PermanentError(
    'NODE_NOT_IN_COLLECTION',
    `Expected node ${forNodeId}, which the page is a source for, to be one of the job's collection; it is not (any more). Name another one, or none, and enqueue the job anew.`,
  )
}

function nodeLeft(nodeId: string): PermanentError {
  return new PermanentError(
    'NODE_NOT_IN_COLLECTION',
    `Expected node ${nodeId}, which an earlier job made of this page, to be a clip of the job's collection; it is not (any more), and is left as it is. Put it back, or delete it to have another one.`,
  )
}
