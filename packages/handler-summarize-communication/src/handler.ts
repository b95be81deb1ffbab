import { defineHandler } from '@sidelinja/jobs-core/worker'
import type { Services } from '@sidelinja/jobs-kit'
import { derivedNodeId, storeDerivedNode } from '@sidelinja/jobs-kit/storage'
import { type Result, summarizeCommunication } from './job.ts'
import { PROMPT_VERSION } from './questions.ts'
import { readCommunication } from './read-communication.ts'
import { summarize } from './summarize.ts'

/**
 * Sums up a chat or a meeting in a node of its own, with an edge `summary` back to it. Enqueued by who presses the button, or as a follow-up. Each chat has one summary in a collection: the next job
 * replaces it, unless somebody has edited it. Nobody is given access: the summary is reached through what it sums up. Permanent: a node that is not the collection's (any more) or too long, a spent
 * budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, collections, transcripts }: Pick<Services, 'gateway' | 'collections' | 'transcripts'>) =>
  defineHandler(
    summarizeCommunication,
    async (context) => {
      const { job, signal } = context
      const { collectionNodeId } = job
      const settings = await collections.readSettings(collectionNodeId)
      signal.throwIfAborted()
      const communication = await readCommunication({ collections, transcripts }, context)
      const { nodeId, said, told: read } = communication
      if (said.length === 0) return { result: { ...nothing, ...read, note: 'no text' } satisfies Result }

      const { title, content, about, told } = await summarize(gateway, context, { communication, settings })
      const by = { of: nodeId, jobId: job.id, model: settings.models.reasoning, promptVersion: PROMPT_VERSION }
      const id = derivedNodeId(collectionNodeId, { kind: 'summary', of: nodeId })
      const node = { id, kind: 'summary', title, content, key: 'summary', about: { ...about, ...by } }
      return {
        write: async (trx) => {
          const of = { nodeId, edge: 'summary' }
          const summary = await storeDerivedNode(trx, collectionNodeId, { node, of, ownedBy: 'has_summary' })
          return { result: { ...nothing, ...read, ...told, summaryNodeId: id, summary } satisfies Result }
        },
      }
    },
    { services: ['gateway'] },
  )

const nothing: Result = {
  ...{ summaryNodeId: null, note: null, summary: null, keyPoints: 0, read: { segments: 0, messages: 0 }, older: 0 },
  ...{ parts: 0, uncertain: 0, dropped: 0, cut: {} },
}
