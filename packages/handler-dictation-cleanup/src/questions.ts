import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'dictation_cleanup/1'

const unclear = z.object({
  text: z.string().max(400).describe('the words, as they were dictated'),
  reason: z.string().max(400).describe('what may be wrong with them, a few words'),
})
const actionPoint = z.object({
  text: z.string().max(400).describe('what is to be done, one sentence'),
  quote: z.string().max(400).describe('word for word from the dictation'),
})

/** What is asked for about a dictation, or a part of one: the note has at most so many characters. */
export const noteReply = (mostCharacters: number) =>
  z.object({
    title: z.string().regex(/\S/).max(200).describe('a few words, without a full stop'),
    body_markdown: z.string().regex(/\S/).max(mostCharacters),
    uncertain: z.array(unclear).max(30).describe('what was heard or written wrong, it seems'),
    action_points: z.array(actionPoint).max(30),
  })

/** What is asked for about the titles of several parts. */
export const titleReply = z.object({ title: z.string().regex(/\S/).max(200).describe('a few words, without a full stop') })

/** What is done with a dictation, or a part of one. */
export const CLEAN = `You are given a dictation as a recogniser wrote it down, or a part of one, and names that may occur in it. Make a note of it, in Markdown: sentences, paragraphs, headings and lists where they help.
Take out fillers, repetitions, and what the speaker takes back; obey what is dictated about form only (comma, full stop, new line, new paragraph). Leave nothing else out, add nothing, and keep the wording. Every number and name stays as it is.
Say which words were heard wrong, it seems, and leave them as they are. An action point is what the speaker says is to be done, with the words. A part may begin or end in the middle: leave that so.`

/** What is done with the titles of several parts. */
export const TITLE = `You are given titles of the consecutive parts of one note. Make one title of the whole. Use only what stands in them.`
