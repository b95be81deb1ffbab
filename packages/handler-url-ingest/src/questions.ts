import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'url_ingest/1'

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

/** What kind of page it is. */
export type SourceType = (typeof sourceTypes)[number]

/** What is empty is left out afterwards. */
const claim = z.object({
  claim: z.string().max(400).describe('one sentence'),
  quote: z.string().max(500).describe('word for word from the page, what the claim is taken from'),
})

/** What is asked for, about a part of a page and about several parts together. Author and date are the page's own word, and never a model's. */
export const pageReply = z.object({
  title: z.string().regex(/\S/).max(200).describe('of the page itself where it has one, without a full stop'),
  summary: z.string().regex(/\S/).max(2_000),
  source_type: z.enum(sourceTypes),
  key_claims: z.array(claim).max(12).describe('the most important first'),
})

/** A reply that fits. */
export type PageReply = z.output<typeof pageReply>

/** What is done with a page, or a part of one. */
export const READ = `You are given the text of a page of the web, or a part of it, as numbered segments, with its site and, where it is known, its title.
Say what it is about and what it claims. Use only what stands in it. A claim can be checked, and its quote is word for word.
Where it links to other texts, or sells something, that is not what it is about.`

/** What is done with the replies about several parts. */
export const MERGE = `You are given what was found in the consecutive parts of one page. Make one reply about the whole.
Keep quotes exactly as they are, and name a claim once. Title, summary and source type are of the whole, not of a part.`
