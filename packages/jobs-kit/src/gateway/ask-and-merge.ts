import type { JsonValue } from '@sidelinja/jobs-core'
import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import { estimateTokens } from '../ai-text/parts/estimate-tokens.ts'
import { planReduce } from '../ai-text/parts/plan-reduce.ts'
import { askInParts, type InParts } from './ask-in-parts.ts'

/** How a long question becomes several, and their replies one. */
export interface PartsAndMerge<Part, Reply> extends InParts<Part, Reply> {
  /** How much of replies is put together at once, as `estimateTokens` counts their JSON. */
  readonly budgetTokens: number
  /** What of a reply `merge` puts to the model, whose size counts. Default: all of it. */
  readonly sizeOf?: (reply: Reply) => JsonValue
  /** Makes one reply of several, in order; `name` is another one each time: `merge-1-1`, `merge-1-2`, `merge-2-1` … Not called for a single one. */
  readonly merge: (replies: readonly Reply[], name: string) => Reply | Promise<Reply>
}

/**
 * Asks about each part ({@link askInParts}) and puts the replies together, round after round, as many at once as fit, until one is left. Reports progress.
 * @throws what `ask` and `merge` throw.
 */
export async function askAndMerge<Part, Reply>(
  { progress }: Pick<HandlerContext<unknown>, 'progress'>,
  { parts, halve, ask, merge, budgetTokens, sizeOf }: PartsAndMerge<Part, Reply>,
): Promise<{ reply: Reply; parts: number }> {
  const steps = parts.length + 2
  const asked = await askInParts({
    ...{ parts, halve },
    ask: (part, name) => {
      progress(Number.parseInt(name, 10) / steps, `Leser del ${name} av ${parts.length}`)
      return ask(part, name)
    },
  })
  progress((steps - 1) / steps, 'Samler og kontrollerer')
  let replies = asked.map(({ reply }) => reply)
  for (let round = 1; replies.length > 1; round++) {
    const sizes = replies.map((reply) => estimateTokens(JSON.stringify(sizeOf ? sizeOf(reply) : reply)))
    const merged: Reply[] = []
    for (const [index, group] of planReduce(sizes, budgetTokens).entries()) {
      const together = replies.filter((_, at) => group.includes(at))
      const [only] = together
      merged.push(only !== undefined && together.length === 1 ? only : await merge(together, `merge-${round}-${index + 1}`))
    }
    replies = merged
  }
  const [reply] = replies
  if (reply === undefined) throw new TypeError('askAndMerge was given no parts; ask nothing where there is nothing to ask about')
  return { reply, parts: asked.length }
}
