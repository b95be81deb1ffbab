import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'suggest_edges/1'

/** How one node relates to another: the kinds of the edges. */
const RELATIONS = ['mentions', 'about', 'related'] as const

/** Edges to candidates, and topics that are missing. What is too sure, too long or too much is dealt with afterwards. */
export const edgesReply = z.object({
  edges: z
    .array(
      z.object({
        candidate: z.string().max(20).describe('ref of a candidate'),
        relation: z.enum(RELATIONS),
        confidence: z.number().describe('from 0 to 1'),
        evidence: z.string().max(500).describe('word for word from the text'),
      }),
    )
    .max(10),
  new_topics: z
    .array(
      z.object({
        name: z.string().max(100),
        description: z.string().max(400).describe('one sentence'),
        evidence: z.string().max(500).describe('word for word from the text'),
      }),
    )
    .max(5),
})

/** A reply about one part of the text. */
export type EdgesReply = z.output<typeof edgesReply>

/** What is asked. */
export const INSTRUCTIONS = `You are given a text, or a part of one, and candidates: other nodes of the same collection, each with its ref, name, kind and a few words of its text.
Say which of them the text should be tied to: "mentions" where it names the candidate, "about" where the candidate is what it is mainly about, "related" where both deal with the same matter.
Only candidates of the list, by their ref. Every edge comes with the words of the text that bear it out, word for word. When in doubt, leave it out: no edge is a good answer.
Then name topics that the text is mainly about and that no candidate covers, at most two, also with the words that bear them out.`
