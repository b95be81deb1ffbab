import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'summarize_communication/1'

/** What is empty is left out afterwards. */
const keyPoint = z.object({
  text: z.string().max(400).describe('one sentence'),
  quote: z.string().max(400).describe('word for word, what the point is taken from'),
})

/** What is asked for about a chat or a meeting, a part of one, or several parts together. */
export const summaryReply = z.object({
  summary: z.string().regex(/\S/).max(3_000),
  key_points: z.array(keyPoint).max(12).describe('the most important first'),
  language: z.string().max(20).describe('of the text, as a tag: nb, nn, en'),
})

/** A reply that fits. */
export type SummaryReply = z.output<typeof summaryReply>

/** What is done with a chat or a meeting, or a part of one. */
export const SUMMARIZE = `You are given a chat or the transcript of a meeting, or a part of one, as numbered segments, with who speaks or writes where it is known.
Sum it up for who was not there: what it was about, what came of it, and what is still open. Use only what stands in it, and say who said what only where that is plain. Every key point comes with its words.`

/** What is done with the replies about several parts. */
export const MERGE = `You are given summaries of the consecutive parts of one chat or meeting. Make one summary of the whole. Use only what stands in them. Keep quotes exactly as they are, and name a point once.`
