import { PermanentError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import type { Services } from '@sidelinja/jobs-kit'
import { insertEdge, ownNodeId, upsertOwnNode } from '@sidelinja/jobs-kit/storage'
import { type Result, researchClip } from './job.ts'
import { readClip } from './read-clip.ts'

/**
 * Keeps pasted text as a node of kind `research` of the collection, with summary and claims, for somebody who waits. The content is the text itself without what came along by
 * copying; each claim has a quote that stands in it. The node's id comes from the job's: another run replaces it. Permanent: a node of a run before that
 * left the collection, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, collections }: Pick<Services, 'gateway' | 'collections'>) =>
  defineHandler(
    researchClip,
    async (context) => {
      const { payload, job, signal } = context
      const { collectionNodeId } = job
      const settings = await collections.readSettings(collectionNodeId)
      signal.throwIfAborted()
      const { title, content, clip, told } = await readClip(gateway, context, { payload, settings })

      const nodeId = ownNodeId(job.id)
      const node = { id: nodeId, kind: 'research', title, content, metadata: { clip: { ...clip, jobId: job.id } } }
      return {
        result: { nodeId, ...told } satisfies Result,
        write: async (trx) => {
          if (!(await upsertOwnNode(trx, collectionNodeId, node))) throw nodeLeft(nodeId)
          await insertEdge(trx, collectionNodeId, { nodeId, kind: 'contains' })
        },
      }
    },
    { services: ['gateway'] },
  )

function nodeLeft(nodeId: string): PermanentError {
  return new PermanentError(
    'NODE_NOT_IN_COLLECTION',
    `Expected node ${nodeId}, which a run before made, to be a research node of the job's collection; it is not (any more), and is left as it is. Enqueue a new job to have another one.`,
  )
}
