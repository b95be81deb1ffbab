import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z
  .object({
    /** The chat or the meeting, one of the collection's nodes. */
    nodeId: z.guid().optional(),
    /** The same under the name that follow-ups of a transcription give it. */
    mediaNodeId: z.guid().optional(),
  })
  .refine(({ nodeId, mediaNodeId }) => (nodeId === undefined) !== (mediaNodeId === undefined), {
    error: 'expected nodeId or mediaNodeId, and not both',
  })

/** What a `summarize_communication` job is given. */
export type Payload = z.infer<typeof payload>

/** What an AI made of a chat or a meeting: `metadata.summary` of the summary's node. Text of strangers and of a model: escape it where it is shown. */
export type Summary = {
  /** The node that was summed up. */
  of: string
  /** Each with the words that bear it out. */
  keyPoints: { text: string; quote: string }[]
  /** To be looked at: a summary, or that of a part, in another language or form of Norwegian than the communication, as `nn → nb`. */
  uncertain: { kind: 'language'; text: string }[]
  /** A language tag; null where nothing says it. */
  language: string | null
  jobId: string
  /** The model's alias. */
  model: string
  promptVersion: string
  /** A fingerprint of title and content as the job left them: where they differ, somebody has edited them. */
  written: string
  /** The same of the suggestion: where they are that, a person has taken it over, and no one has edited them. */
  suggested?: string
  /** What a job made of it after somebody had edited title or content. */
  suggestion?: Omit<Summary, 'written' | 'suggested' | 'suggestion'> & { title: string; content: string }
}

/** What a `summarize_communication` job leaves in `job_queue.result`: never a word of the communication, for others may read jobs than read it. */
export type Result = {
  /** The summary's node; null with a note. */
  summaryNodeId: string | null
  /** `no text`: nothing was said or written, and nobody was asked. */
  note: 'no text' | null
  /** `stored`, or `suggested` beside one that somebody has edited; null without any. */
  summary: 'stored' | 'suggested' | null
  keyPoints: number
  /** Segments of the transcript, and messages, that were read. */
  read: { segments: number; messages: number }
  /** Messages that were not read, for they are older than the newest 10,000. */
  older: number
  /** Parts that it was read in. */
  parts: number
  /** How much there is to look at. */
  uncertain: number
  /** Key points that are empty, whose quote is shorter than three words or nobody said, and that add a number, a day or a name. */
  dropped: number
  /** Entries of the model's lists beyond what a list may have, by list, of all parts: only the first were looked at. */
  cut: Record<string, number>
}

/** Sums up one chat or meeting. */
export const summarizeCommunication = defineJob({
  ...{ type: 'summarize_communication', payload, priority: 5, maxAttempts: 3, timeoutMs: 2 * 3_600_000 },
})
