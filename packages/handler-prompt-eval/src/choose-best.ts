import { createHash } from 'node:crypto'
import { isBorneOut } from './judge.ts'
import { CHOOSE, choiceReply, PROMPT_VERSION } from './questions.ts'
import { type Bench, fingerprint, type Verdict, verdictStep } from './verdict.ts'

/** What a judge chose among several outputs. */
export type Choice = Omit<Verdict, 'found'> & {
  /** The best output's words; null: no choice that can be used. */
  best: string | null
}

/** What is to be compared. */
export interface Contest {
  /** Unique within the job. */
  readonly name: string
  readonly criterion: string
  readonly outputs: readonly string[]
}

const none = { best: null, reason: null, quote: null, error: null }

/** Has the judge choose among outputs. Who is alone, or says what all say, is the best without being asked about. */
export async function chooseBest(bench: Bench, { name, criterion, outputs }: Contest): Promise<Choice> {
  const { gateway, context, settings, model, maxJobUsd } = bench
  const numbered = inNoOrder([...new Set(outputs)], name)
  const [only = ''] = numbered
  if (numbered.length < 2) return { ...none, best: only, costUsd: 0, untold: false }
  const ofJudge = { ...settings, models: { ...settings.models, reasoning: model } }
  const step = `best ${name} ${fingerprint([PROMPT_VERSION, model, criterion, numbered])}`
  return await verdictStep<Choice>(bench, step, {
    none,
    async ask(onCall) {
      const data = { criterion, outputs: numbered.map((output, at) => ({ number: at + 1, output })) }
      const question = {
        name: `best-${name}`,
        model: 'reasoning',
        instructions: CHOOSE,
        data,
        reply: choiceReply(numbered.length),
      } as const
      const room = { promptVersion: PROMPT_VERSION, temperature: 0, maxTokens: 1_500, maxJobUsd }
      const { best: number, reason, quote } = await gateway.ask(context, ofJudge, { ...question, ...room, onCall })
      const best = numbered[number - 1] ?? ''
      if (isBorneOut(quote, best)) return { best, reason, quote, error: null }
      const error = { code: 'VERDICT_UNFOUNDED', message: 'The judge chose an output, with a quote that does not stand in it.' }
      return { ...none, reason, error }
    },
  })
}

/** The verdict of a choice on one of the outputs. */
export function verdictOn({ best, reason, quote, error }: Choice, output: string): Verdict {
  const isBest = best === output
  const found = best === null ? null : { pass: isBest, score: isBest ? 1 : 0 }
  // Costs are those of the choice, and counted once.
  return { found, reason, quote: isBest ? quote : null, error, costUsd: 0, untold: false }
}

/** In an order that is the same in every attempt, and tells nothing of whose they are: judges like what stands first. */
function inNoOrder(outputs: readonly string[], name: string): string[] {
  const key = (output: string) => createHash('sha256').update(`${name} ${output}`).digest('hex')
  return outputs
    .map((output) => ({ output, key: key(output) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ output }) => output)
}
