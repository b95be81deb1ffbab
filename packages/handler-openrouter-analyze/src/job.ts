import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const jobType = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, { error: 'expected a job type, like generate_embeddings' })

const payload = z.object({
  /** The node whose transcript is read: an episode, mostly. */
  mediaNodeId: z.guid(),
  /** The recording, relative to the worker's MEDIA_ROOT: at most 500 characters. Not read, but passed on to what follows. */
  audioPath: z.string().min(1).max(500).optional(),
  /** Job types that are enqueued when the analysis stands: at most ten. Default: the collection's `followUps`. */
  followUps: z.array(jobType).max(10).optional(),
})

/** What an `openrouter_analyze` job is given. */
export type Payload = z.infer<typeof payload>

/** What an AI made of a transcript: `media_analyses.content`. Text of strangers and of a model: escape it where it is shown. */
export type Analysis = {
  title: string
  /** For a list of episodes: two or three sentences. */
  description: string
  summary: string
  /** In order, the first at 0. */
  chapters: { startMs: number; title: string }[]
  /** `nodeId`: a topic that the collection knew already. */
  topics: { nodeId: string | null; name: string; confidence: number }[]
  people: { name: string; role: string | null; startMs: number }[]
  /** Word for word as they stand in the transcript. */
  quotes: { startMs: number; text: string }[]
  /** Tag of the transcript's language. */
  language: string
}

/** What an `openrouter_analyze` job leaves in `job_queue.result`. */
export type Result = {
  /** Null when there is nothing to analyse: nobody speaks. */
  analysis: Analysis | null
  note: 'no speech' | null
  /** Segments of the transcript; all of them were read. */
  segments: number
  /** Parts that they were read in. */
  parts: number
  /** What the model said and the transcript does not bear out, or what is empty, by kind: left out. */
  dropped: Record<string, number>
  /** Entries of the model's lists beyond what a list may have, by list, of all parts: only the first were looked at. */
  cut: Record<string, number>
}

/** Analyses one transcript. */
export const openrouterAnalyze = defineJob({ type: 'openrouter_analyze', payload, priority: 5, maxAttempts: 3, timeoutMs: 30 * 60_000 })
