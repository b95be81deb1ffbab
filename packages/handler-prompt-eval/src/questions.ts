import { z } from 'zod'

/** Goes up whenever instructions or reply change in meaning. */
export const PROMPT_VERSION = 'prompt_eval/1'

/** What is asked for. Ids and times never pass through the model: it names segments by number. */
export const pointsReply = z.object({
  points: z
    .array(
      z.object({
        segment: z.int().positive().describe('number of the segment in which it is said'),
        title: z.string().max(200),
        quote: z.string().max(500).describe('word for word from that segment'),
      }),
    )
    .max(10),
})

/** What is done with a transcript, or a part of one. */
export const FIND_POINTS = `You are given the transcript of a recording, or a part of it, as numbered segments.
Name the most important points, each with the segment in which it is made and a quote that is word for word from it.
Use only what is said; where nothing important is, leave the list empty.`

/** What is done with the replies about several parts. */
export const MERGE_POINTS = `You are given the points that were found in the consecutive parts of one recording, made from its transcript.
Choose the most important of the whole, each once. Keep segment numbers and quotes exactly as they are.`
