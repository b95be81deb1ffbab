import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z
  .object({
    /** The node whose title, content and transcript are to be found: the collection's own, or one that an edge ties to it. */
    nodeId: z.guid().optional(),
    /** The same, as jobs that follow a transcription are given it. */
    mediaNodeId: z.guid().optional(),
    /** Asks for every vector anew, also of texts that have one. Default: no. */
    force: z.boolean().optional(),
  })
  .refine(({ nodeId, mediaNodeId }) => (nodeId === undefined) !== (mediaNodeId === undefined), {
    error: 'expected nodeId or mediaNodeId, and not both',
  })

/** What a `generate_embeddings` job is given. */
export type Payload = z.infer<typeof payload>

/** What a `generate_embeddings` job leaves in `job_queue.result`. */
export type Result = {
  /** The alias of the model, as the gateway knows it. */
  model: string
  /** Numbers in a vector; null where the node has no text. */
  dimensions: number | null
  /** Texts that have a vector now. */
  texts: number
  /** Of them those that were asked for; the others had theirs. */
  embedded: number
}

/** Makes a node's texts ones that can be found by what they mean. Background work: priority 1. */
export const generateEmbeddings = defineJob({ type: 'generate_embeddings', payload, priority: 1, maxAttempts: 3, timeoutMs: 60 * 60_000 })
