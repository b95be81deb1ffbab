import { quoteOccurs } from '@sidelinja/jobs-kit'
import { JUDGE, PROMPT_VERSION, verdictReply } from './questions.ts'
import { type Bench, type Costs, fingerprint, type Verdict, verdictStep } from './verdict.ts'

/** One thing to judge. */
export interface Judged {
  /** Unique within the job. */
  readonly name: string
  readonly type: keyof typeof JUDGE
  readonly criterion: string
  readonly output: string
}

/** Nothing that can be used. */
const none = { found: null, reason: null, quote: null, error: null }

/** Asks the judge, who is not told whose output it is. */
export async function askJudge(bench: Bench, { name, type, criterion, output }: Judged): Promise<Verdict> {
  const { gateway, context, settings, model, maxJobUsd } = bench
  const data = type === 'factuality' ? { reference: criterion, output } : { rubric: criterion, output }
  const ofJudge = { ...settings, models: { ...settings.models, reasoning: model } }
  const step = `judge ${name} ${fingerprint([PROMPT_VERSION, model, type, criterion, output])}`
  return await verdictStep<Verdict>(bench, step, {
    none,
    async ask(onCall) {
      const question = { name: `judge-${name}`, model: 'reasoning', instructions: JUDGE[type], data, reply: verdictReply } as const
      const room = { promptVersion: PROMPT_VERSION, temperature: 0, maxTokens: 1_500, maxJobUsd }
      return borneOut(await gateway.ask(context, ofJudge, { ...question, ...room, onCall }), output)
    },
  })
}

type Reply = { reason: string; quote: string | null; score: number; pass: boolean }

/** Takes no pass on trust whose quote the output does not have. */
function borneOut({ reason, quote, score, pass }: Reply, output: string): Omit<Verdict, keyof Costs> {
  const stands = quote !== null && isBorneOut(quote, output)
  const said = { reason, quote: stands ? quote : null }
  if (stands || !pass) return { ...said, found: { pass, score }, error: null }
  return {
    ...said,
    found: null,
    error: { code: 'VERDICT_UNFOUNDED', message: 'The judge lets it pass, with a quote that does not stand in the output.' },
  }
}

/** Whether a quote says something, and stands in the output. */
export function isBorneOut(quote: string, output: string): boolean {
  return quote.trim() !== '' && quoteOccurs(quote, output)
}
