import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'openrouter_analyze/1'

/** In a list what is empty is left out afterwards; the whole needs one. */
const title = z.string().max(120)
const segment = z.int().positive().describe('number of a segment')

/** What is asked for. Ids and times never pass through the model: it names segments and candidates by number. */
export const analysisReply = z.object({
  title: title.regex(/\S/).describe('of the whole, without a full stop'),
  description: z.string().regex(/\S/).max(600).describe('two or three sentences for a list of episodes'),
  summary: z.string().regex(/\S/).max(4_000),
  chapters: z.array(z.object({ start_segment: segment, title })).max(40),
  topics: z
    .array(
      z.object({
        ref: z.string().nullable().describe('ref of a candidate, or null for a new topic'),
        name: z.string().max(80),
        confidence: z.number().min(0).max(1),
      }),
    )
    .max(20),
  people: z.array(z.object({ name: z.string().max(120), role: z.string().max(200).nullable(), evidence: segment })).max(40),
  quotes: z.array(z.object({ segment, text: z.string().max(500).describe('word for word from that segment') })).max(12),
})

/** A reply that fits. */
export type AnalysisReply = z.output<typeof analysisReply>

/** What is done with a transcript, or a part of one. */
export const ANALYSE = `You are given the transcript of a recording as numbered segments, and candidates: topics that are known already.
Say what it is about. Use only what is said in it; where it says nothing, leave lists empty. Chapters begin where the subject changes, at most one for every two minutes.
A topic that is among the candidates is named by its ref. A person needs the number of a segment that bears the name. Quotes are word for word.`

/** What is done with the analyses of several parts. */
export const MERGE = `You are given analyses of the consecutive parts of one recording, made from its transcript. Make one analysis of the whole.
Keep segment numbers and quotes exactly as they are. Name a topic, a person or a quote once. Title, description and summary are of the whole, not of a part.`
