import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'meeting_summarize/1'

const said = z.object({
  segment: z.int().positive().describe('number of the segment'),
  quote: z.string().max(400).describe('word for word from that segment'),
})
const evidence = z.array(said).max(6).describe('where it is said')
/** What is empty is left out afterwards. */
const point = z.object({ text: z.string().max(500).describe('one sentence'), evidence })

const actionPoint = z.object({
  text: z.string().max(500).describe('what is to be done, one sentence'),
  owner_ref: z.string().max(200).nullable().describe('ref of who is to do it, among the people; null when nobody of them is named'),
  owner_name: z.string().max(200).nullable().describe('name of who is to do it, as it is said; null when nobody is named'),
  due_text: z.string().max(200).nullable().describe('when it is to be done, word for word as it is said; null when nothing is said'),
  due_date: z
    .string()
    .max(200)
    .nullable()
    .describe('the same as YYYY-MM-DD, only where it follows from the date of the meeting; else null'),
  evidence,
})

/** What is asked for about a meeting, or a part of one. */
export const minutesReply = z.object({
  summary: z.string().regex(/\S/).max(2_000),
  decisions: z.array(point).max(30),
  action_points: z.array(actionPoint).max(30),
  open_questions: z.array(point).max(30),
  attendees_mentioned: z.array(z.string().max(200)).max(60),
})

/** A reply that fits. */
export type MinutesReply = z.output<typeof minutesReply>

/** What is asked for about the summaries of several parts. Decisions and the like are not asked about again: none may get lost. */
export const summaryReply = z.object({ summary: z.string().regex(/\S/).max(2_000) })

/** What is done with a meeting, or a part of one. */
export const MINUTES = `You are given the transcript of a meeting, or a part of one, as numbered segments, the date of the meeting where it is known, and people who are known.
Take the minutes: what was decided, what somebody is to do, and which questions were left open. Use only what is said. A proposal is no decision, and a wish is no action point.
Each of them names the segments in which it is said, with the words. Name an owner only where it is said who does it, and no due date that would have to be guessed.`

/** What is done with the summaries of several parts. */
export const MERGE = `You are given summaries of the consecutive parts of one meeting. Make one summary of the whole. Use only what stands in them.`
