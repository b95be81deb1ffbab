import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'research_clip/1'

const sourceTypes = [
  'other',
  'news',
  'opinion',
  'interview',
  'research',
  'report',
  'official',
  'press_release',
  'blog',
  'social_media',
] as const

/** What kind of text a clip is from. */
export type SourceType = (typeof sourceTypes)[number]

/** What is empty is left out afterwards. */
const claim = z.object({
  claim: z.string().max(400).describe('one sentence'),
  quote: z.string().max(500).describe('word for word from the text, what the claim is taken from'),
})

/** What is asked for about several parts together. */
export const clipReply = z.object({
  title: z.string().regex(/\S/).max(200).describe('of the text itself where it has one, without a full stop'),
  summary: z.string().regex(/\S/).max(2_000),
  source_type: z.enum(sourceTypes),
  key_claims: z.array(claim).max(12).describe('the most important first'),
})

/** What is asked for about a text, or a part of one. The text itself never passes through the model: it names lines by number. */
export const partReply = clipReply.extend({
  noise_segments: z.array(z.int().positive()).max(2_000).describe('numbers of the segments that are no part of the text'),
})

/** A reply that fits. */
export type PartReply = z.output<typeof partReply>

/** What is done with a text, or a part of one. */
export const CLIP = `You are given a text that somebody copied for later research, as numbered segments, and where it is known its site and title.
Say what it is about and what it claims. Use only what stands in it. A claim can be checked, and its quote is word for word.
Name the segments that came along by copying and are no part of the text: menus, buttons, advertisements, notices about cookies, links to other texts. When in doubt, a segment is part of it.`

/** What is done with the replies about several parts. */
export const MERGE = `You are given what was found in the consecutive parts of one text. Make one reply about the whole.
Keep quotes exactly as they are, and name a claim once. Title, summary and source type are of the whole, not of a part.`
