import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import type { CollectionSettings, Gateway } from '@sidelinja/jobs-kit'
import { batchesOf } from './batches-of.ts'
import type { DecidedPair } from './cluster-questions.ts'
import { PAIRS, PROMPT_VERSION, pairsReply } from './questions.ts'

/** Two texts. */
export interface TextPair {
  readonly a: string
  readonly b: string
}

/** Has a model decide how texts relate, pair by pair, in order; undefined for one that it leaves out, or answers twice and differently. */
export async function relatePairs(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  settings: CollectionSettings,
  { name, pairs }: { readonly name: string; readonly pairs: readonly TextPair[] },
): Promise<(DecidedPair['relation'] | undefined)[]> {
  const relations: (DecidedPair['relation'] | undefined)[] = []
  for (const [number, batch] of batchesOf(pairs)) {
    const data = { pairs: batch.map(({ a, b }, index) => ({ n: index + 1, a, b })) }
    const reply = await gateway.ask(context, settings, {
      ...{ name: `${name}-${number}`, model: 'reasoning', reply: pairsReply, promptVersion: PROMPT_VERSION },
      ...{ instructions: PAIRS, data },
    })
    relations.push(...batch.map((_, index) => onlyOne(reply.pairs.filter(({ n }) => n === index + 1).map(({ relation }) => relation))))
  }
  return relations
}

function onlyOne<T>(answers: readonly T[]): T | undefined {
  return new Set(answers).size === 1 ? answers[0] : undefined
}
