import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'valgomat_generate_profile/1'

const evidence = z.object({
  page: z.int().positive().describe('number of the page'),
  quote: z.string().max(500).describe('word for word from that page, at least a few words'),
})

const stance = z.object({
  statement_ref: z.string().max(200),
  stance: z
    .int()
    .min(-2)
    .max(2)
    .nullable()
    .describe('-2 strongly against, -1 against, 0 neither, 1 for, 2 strongly for; null when the pages do not say'),
  confidence: z.number().min(0).max(1),
  evidence: z.array(evidence).max(4).describe('empty without a stance'),
  reasoning: z.string().max(500).nullable().describe('one sentence; null without a stance'),
})

/** What is asked for about some pages and some statements. */
export const stancesReply = z.object({ stances: z.array(stance).max(30) })

/** A reply that fits. */
export type StancesReply = z.output<typeof stancesReply>

/** What is done with some pages and some statements. */
export const STANCES = `You are given pages of a party's programme, and statements that voters are asked about. For each statement say where the party stands, by these pages alone.
Where the pages do not speak of what the statement is about, its stance is null: never conclude it from what parties of that kind think, from other promises, or from what you know. Mind a "not": for and against often have the same words.
Every stance has quotes that show it, word for word, each with the number of its page.`

/** What is done with statements of which several pages say different things. */
export const SETTLE = `You are given statements that voters are asked about, and of each what a party's programme says about it on several pages, which seems to differ. For each say where the party stands, all in all.
Where that is not plain, its stance is null. Every stance has quotes out of those that are given, word for word, each with the number of its page.`
