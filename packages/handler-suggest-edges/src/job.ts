import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z.object({
  /** The node whose edges are looked for: one that an edge ties to the collection. */
  nodeId: z.guid(),
})

/** What a `suggest_edges` job is given. */
export type Payload = z.infer<typeof payload>

/** A topic that the collection does not have, and could. */
export type NewTopic = { name: string; description: string; evidence: string }

/** What a `suggest_edges` job leaves in `job_queue.result`. Text of strangers and of a model: escape it where it is shown. */
export type Result = {
  /** Why nobody was asked; null: somebody was. */
  note: 'short text' | 'switched off' | null
  /** Nodes that there were to choose from. */
  candidates: number
  /** Edges that are suggested now, those of earlier runs included, and those that are there or were decided. */
  suggested: number
  /** Of them those that are new. */
  added: number
  newTopics: NewTopic[]
  /** Suggestions that the text does not bear out, that name nothing there is, or that the model was not sure of: left out. */
  dropped: number
  /** Characters of the text beyond what is read. */
  unread: number
}

/** Looks for edges to other nodes; nobody waits. Background work: priority 1. */
export const suggestEdges = defineJob({ type: 'suggest_edges', payload, priority: 1, maxAttempts: 3, timeoutMs: 30 * 60_000 })
