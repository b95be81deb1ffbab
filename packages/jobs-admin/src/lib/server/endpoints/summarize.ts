import { enqueueByType, QueueError } from '@sidelinja/jobs-core'
import { noteAction } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { jsonResponse } from '../http/json-response.ts'
import { collectionId, nodeId } from '../inputs.ts'
import { defineRoute } from '../route.ts'
import { acting } from '../user-session.ts'

const type = 'summarize_communication'
const priority = 5

/**
 * `POST /intentions/summarize` with `{ "collection_id": "<uuid>", "node_id": "<uuid>" }`: orders a summary of a chat or a meeting. 202 with the job; one that
 * waits for the same node already is the one.
 */
export const summarize = defineRoute({
  method: 'POST',
  under: 'intentions',
  path: '/summarize',
  right: 'act',
  bucket: 'single',
  body: z.strictObject({ collection_id: collectionId, node_id: nodeId }),
  run: async (context) => {
    const { collection_id, node_id } = context.body
    const { id, outcome } = await acting(context, async ({ trx, access }) => {
      if (!access.act.includes(collection_id)) {
        await noteAction(trx, { action: 'summarize', refused: 'COLLECTION_NOT_FOUND', type, collectionNodeId: collection_id })
        throw new QueueError('COLLECTION_NOT_FOUND', `There is no collection ${collection_id} that you may order a summary for.`)
      }
      const unique = { key: `node ${node_id}` }
      const enqueued = await enqueueByType(trx, type, { nodeId: node_id }, { collectionNodeId: collection_id, priority, unique })
      await noteAction(trx, { action: 'summarize', jobId: enqueued.id })
      return enqueued
    })
    return jsonResponse({ job_id: id, outcome }, 202)
  },
})
