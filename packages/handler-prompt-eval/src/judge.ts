import { createHash } from 'node:crypto'
import { isJobsError } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import { type CollectionSettings, type Gateway, quoteOccurs } from '@sidelinja/jobs-kit'
import type { judged } from './assertions.ts'
import { isUntold } from './costs.ts'
import { JUDGE, PROMPT_VERSION, verdictReply } from './questions.ts'

/** What a judge came to, as a type that a step can store. */
export type Verdict = {
  /** Null: no verdict that can be used; the error says why. */
  found: { pass: boolean; score: number } | null
  reason: string | null
  quote: string | null
  error: { code: string; message: string } | null
  costUsd: number
  /** True: the gateway did not tell what a call cost. */
  untold: boolean
}

/** One thing to judge. */
export interface Judged {
  /** Unique within the job. */
  readonly name: string
  readonly type: (typeof judged)[number]
  readonly criterion: string
  readonly output: string
}

/** Who judges, and within what. */
export interface Bench {
  readonly gateway: Gateway
  readonly context: HandlerContext<unknown>
  readonly settings: CollectionSettings
  readonly model: string
  readonly maxJobUsd: number | undefined
}

/** What says something about this verdict only. A judge that does not exist, or is not to be paid, is the trouble of all. */
const ofOneVerdict = ['REPLY_INVALID', 'REPLY_CUT', 'REPLY_REFUSED', 'REPLY_TOO_LARGE', 'CONTEXT_TOO_LONG']

/** Asks the judge, who is not told whose output it is. A durable step, also where the judge says nothing that can be used. */
export async function askJudge({ gateway, context, settings, model, maxJobUsd }: Bench, judged: Judged): Promise<Verdict> {
  const { name, type, criterion, output } = judged
  const data = type === 'factuality' ? { reference: criterion, output } : { rubric: criterion, output }
  const ofJudge = { ...settings, models: { ...settings.models, reasoning: model } }
  return await context.step<Verdict>(`judge ${name} ${fingerprint(model, judged)}`, async () => {
    const costs = { costUsd: 0, untold: false }
    const question = { name: `judge-${name}`, model: 'reasoning', instructions: JUDGE[type], data, reply: verdictReply } as const
    try {
      const reply = await gateway.ask(context, ofJudge, {
        ...{ ...question, promptVersion: PROMPT_VERSION, temperature: 0, maxTokens: 1_500, maxJobUsd },
        onCall: (facts) => {
          costs.costUsd += facts.costUsd ?? 0
          costs.untold ||= isUntold(facts)
        },
      })
      return { ...borneOut(reply, output), ...costs }
    } catch (error) {
      if (!isJobsError(error) || !ofOneVerdict.includes(error.code)) throw error
      return {
        found: null,
        reason: null,
        quote: null,
        error: { code: error.code, message: error.message.slice(0, 500).toWellFormed() },
        ...costs,
      }
    }
  })
}

type Reply = { reason: string; quote: string | null; score: number; pass: boolean }

/** Takes no pass on trust whose quote the output does not have. */
function borneOut({ reason, quote, score, pass }: Reply, output: string): Omit<Verdict, 'costUsd' | 'untold'> {
  const stands = quote !== null && quote.trim() !== '' && quoteOccurs(quote, output)
  const said = { reason, quote: stands ? quote : null }
  if (stands || !pass) return { ...said, found: { pass, score }, error: null }
  return {
    ...said,
    found: null,
    error: { code: 'VERDICT_UNFOUNDED', message: 'The judge lets it pass, with a quote that does not stand in the output.' },
  }
}

function fingerprint(model: string, { type, criterion, output }: Judged): string {
  return createHash('sha256')
    .update(JSON.stringify([PROMPT_VERSION, model, type, criterion, output]))
    .digest('hex')
    .slice(0, 16)
}
