import { z } from 'zod'

/** Goes up whenever instructions or replies change in meaning. */
export const PROMPT_VERSION = 'valgomat_moderation/1'

/** What a question may be reproached with. `stance_moved` is our own: the suggested wording was left out. */
const FLAGS = ['ledende', 'dobbel', 'personangrep', 'utdatert', 'uklar', 'ikke_kommunalt'] as const

/** How two texts relate, pair by pair. */
export const pairsReply = z.object({
  pairs: z.array(z.object({ n: z.int(), relation: z.enum(['different', 'opposite', 'same']) })).max(20),
})

/** What should become of each question. */
export const wordingReply = z.object({
  questions: z
    .array(
      z.object({
        n: z.int(),
        verdict: z.enum(['ok', 'rewrite', 'reject']),
        neutral_text: z.string().max(600).nullable().describe('only with rewrite'),
        changes: z.array(z.string().max(200)).max(10).describe('what was changed, one sentence each'),
        flags: z.array(z.enum(FLAGS)).max(6),
      }),
    )
    .max(20),
})

/** Whether two texts ask the same. */
export const PAIRS = `You are given pairs of questions or statements for a voting advice application. Say for each pair, by its n, how a and b relate:
"same": whoever agrees with a must agree with b, and the other way round, however it is worded.
"opposite": both are about the same measure, but whoever agrees with a must disagree with b ("for" and "against", "keep" and "close").
"different": anything else, also where they are about the same subject. When in doubt: different.`

/** How a question should be worded. */
export const WORDING = `You are given questions that users have sent in for a voting advice application about local politics. Judge each by its n.
"ok": neutral, one issue, clear, can be decided in the next term. "rewrite": it can be made so; give neutral_text. "reject": it cannot.
neutral_text is a statement or question about the same measure, in the question's own language, short, without loaded words. It must not move the stance: whoever agrees with the question must agree with neutral_text. Never turn it into its opposite, never add or leave out a number, a place, a name or a condition.
flags: "ledende" leading, "dobbel" two issues in one, "personangrep" against a person, "utdatert" decided or past, "uklar" unclear, "ikke_kommunalt" not for the municipality to decide.`
