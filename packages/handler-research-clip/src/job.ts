import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'
import type { SourceType } from './questions.ts'

const payload = z.object({
  /** What was pasted: at most 60,000 characters. */
  text: z
    .string()
    .max(60_000)
    .regex(/[\p{L}\p{N}]/u, { error: 'expected some text' }),
  /** Where it is from: at most 2,000 characters. Not fetched; a model is told its host only. */
  sourceUrl: z
    .url({ protocol: /^https?$/, error: 'expected an address, like https://example.org/page' })
    .max(2_000)
    .optional(),
  /** Title of the node: at most 300 characters. Default: one that the model finds. */
  title: z.string().trim().min(1).max(300).optional(),
})

/** What a `research_clip` job is given. */
export type Payload = z.infer<typeof payload>

/** What an AI made of a clip: `metadata.clip` of its node. Text of strangers and of a model: escape it where it is shown. */
export type Clip = {
  summary: string
  /** Each with the words of the text that bear it out. */
  keyClaims: { claim: string; quote: string }[]
  sourceType: SourceType
  /** As it was given. */
  sourceUrl: string | null
  /** `nb` or `nn`, where the text is Norwegian. */
  language: 'nb' | 'nn' | null
  /** Lines of what was pasted that are not in the content: menus, advertisements. */
  leftOut: number
  jobId: string
  /** The model's alias. */
  model: string
  promptVersion: string
}

/** What a `research_clip` job leaves in `job_queue.result`: never a word of the text. */
export type Result = {
  /** The research node. */
  nodeId: string
  keyClaims: number
  /** Of what was pasted. */
  leftOut: { lines: number; characters: number }
  /** Parts that the text was read in. */
  parts: number
  /** What the model said and the text does not bear out: claims that are empty, or whose quote it does not say; lines that were to be left out, but were most of the text. */
  dropped: { claims: number; lines: number }
  /** Entries of the model's lists beyond what a list may have, by list, of all parts: only the first were looked at. */
  cut: Record<string, number>
}

/** Keeps one clip; somebody waits for it. */
export const researchClip = defineJob({ type: 'research_clip', payload, priority: 10, maxAttempts: 3, timeoutMs: 30 * 60_000 })
