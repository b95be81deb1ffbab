import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'ai_text_process/1'

/** A text of at most so many characters: what is much longer was not made of the one that was given. */
export const textReply = (mostCharacters: number) => z.object({ text: z.string().regex(/\S/).max(mostCharacters) })

/** Facts, each with the words that bear it out; what is empty is left out afterwards. */
export const factsReply = z.object({
  facts: z
    .array(
      z.object({
        fact: z.string().max(400).describe('one sentence'),
        quote: z.string().max(400).describe('word for word from the text, what the fact is taken from'),
      }),
    )
    .max(60),
})

/** What is done with a text, or a part of one, by mode. */
export const INSTRUCTIONS = {
  rens: `You are given a text, or a part of one. Clean it: correct spelling, punctuation and paragraphs, take out fillers, repetitions and what came along by copying.
Leave nothing else out, add nothing, and keep the wording. Every number, name and link stays as it is. A part may begin or end in the middle: leave that so.`,
  skriv_om: `You are given a text, or a part of one. Say the same in other words, clearer and plainer, at about the same length.
Leave nothing out and add nothing. Every number, name and link stays as it is. A part may begin or end in the middle: leave that so.`,
  oppsummer: `You are given a text, or a part of one. Sum it up in a few sentences, at most a fifth of its length. Use only what stands in it.`,
  fakta: `You are given a text, or a part of one. List the facts in it that can be checked: who, what, when, where, how much. One fact each, in its order, no opinions.
Every fact comes with the words of the text that it is taken from, word for word.`,
} as const

/** What is done with the summaries of several parts. */
export const MERGE = `You are given summaries of the consecutive parts of one text. Make one summary of the whole, in a few sentences. Use only what stands in them.`
