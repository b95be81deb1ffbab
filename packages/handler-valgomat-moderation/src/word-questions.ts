import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import { type CollectionSettings, type Gateway, languageRule, legible, norwegianForm } from '@sidelinja/jobs-kit'
import type { NewModeration } from '@sidelinja/jobs-kit/storage'
import { batchesOf } from './batches-of.ts'
import { PROMPT_VERSION, WORDING, wordingReply } from './questions.ts'

/** A question or a statement. */
export interface Item {
  readonly id: string
  readonly text: string
}

/** What a model says about a question. */
export interface Worded {
  readonly verdict: NewModeration['verdict']
  /** Null: as it is. */
  readonly neutral: string | null
  readonly changes: readonly string[]
  readonly flags: readonly string[]
}

/** Has a model judge questions and word them neutrally; by id, without those that it leaves out or answers twice. */
export async function wordQuestions(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  settings: CollectionSettings,
  questions: readonly Item[],
): Promise<Map<string, Worded>> {
  const byId = new Map<string, Worded>()
  for (const [number, batch] of batchesOf(questions)) {
    const rule = languageRule(norwegianForm(batch.map(({ text }) => text).join('\n')))
    const reply = await gateway.ask(context, settings, {
      ...{ name: `questions-${number}`, model: 'reasoning', reply: wordingReply, promptVersion: PROMPT_VERSION },
      ...{ instructions: `${WORDING}\n${rule}`, data: { questions: batch.map(({ text }, index) => ({ n: index + 1, text })) } },
    })
    for (const [index, { id, text }] of batch.entries()) {
      const [answer, ...more] = reply.questions.filter(({ n }) => n === index + 1)
      if (answer === undefined || more.length > 0) continue
      const neutral = answer.verdict === 'rewrite' ? legible(answer.neutral_text ?? '').trim() : ''
      const { verdict, flags } = answer
      const isNew = neutral !== '' && neutral !== text
      byId.set(id, { verdict, neutral: isNew ? neutral : null, changes: isNew ? answer.changes : [], flags: [...new Set(flags)] })
    }
  }
  return byId
}
