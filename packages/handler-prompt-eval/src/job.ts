import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z.object({
  /** The node whose transcript is read: an episode, mostly. */
  mediaNodeId: z.guid(),
})

/** What a `prompt_eval` job is given. */
export type Payload = z.infer<typeof payload>

/** Something important that is said. Text of strangers and of a model: escape it where it is shown. */
export type Point = {
  startMs: number
  title: string
  /** Word for word as it stands in the transcript. */
  quote: string
}

/** What a `prompt_eval` job leaves in `job_queue.result`. */
export type Result = {
  /** In order; none where nobody speaks. */
  points: Point[]
  /** Parts that the transcript was read in. */
  parts: number
  /** How many points are empty, or the transcript does not bear out: left out. */
  dropped: number
  /** Entries of the model's lists beyond what a list may have, by list, of all parts: only the first were looked at. */
  cut: Record<string, number>
}

/** Finds the points of one transcript. */
export const promptEval = defineJob({ type: 'prompt_eval', payload, priority: 5, maxAttempts: 3, timeoutMs: 30 * 60_000 })
