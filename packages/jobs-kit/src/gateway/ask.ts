import { createHash } from 'node:crypto'
import { PermanentError } from '@sidelinja/jobs-core'
import type { z } from 'zod'
import { newBoundary, writeMessages } from '../ai-text/messages/write-messages.ts'
import { schemaInWords } from '../ai-text/reply-schema/schema-in-words.ts'
import { toStrictSchema } from '../ai-text/reply-schema/to-strict-schema.ts'
import type { CollectionSettings } from '../settings/collection-settings.ts'
import { type Call, makeCall } from './call.ts'
import type { Said } from './classify-reply.ts'
import type { Cut } from './cut-lists.ts'
import type { AskContext, Question } from './gateway.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { checkQuestionName } from './question-name.ts'
import { readAnswer } from './read-answer.ts'

const standardTokens = 4_000
const standardTemperature = 0.2

/** The gateway, knowing for whom it works. */
export interface Asking extends GatewayParts {
  /** @throws PermanentError `AI_BUDGET_SPENT`, `COST_CAP_REACHED` */
  readonly withinBudget: (maxJobUsd: number | undefined) => Promise<void>
}

/** Asks; once more with more room when the reply was cut; once more with what is wrong when it does not fit. Tells what was cut from lists. */
export async function ask<Schema extends z.ZodType>(
  asking: Asking,
  context: AskContext,
  settings: CollectionSettings,
  question: Question<Schema>,
): Promise<z.output<Schema>> {
  checkQuestionName(question.name)
  const call = toCall(question, settings, context)
  const step = `ask ${question.name} ${fingerprint(question, call, settings.prompts[context.job.type])}`
  const first = await say(asking, context, { step, call, question })
  const longer = { ...call, maxTokens: call.maxTokens * 2 }
  const whole = first.cut ? await say(asking, context, { step: `${step} longer`, call: longer, question }) : first
  const read = readAnswer(question.reply, uncut(whole, call))
  if (read.fits) return taken(read, question)

  const answered = [{ role: 'assistant', content: whole.content } as const, { role: 'user', content: pleaseMend(read.problem) } as const]
  const mend = { ...longer, messages: [...call.messages, ...answered] }
  const mended = await say(asking, context, { step: `${step} mended`, call: mend, question })
  const again = readAnswer(question.reply, uncut(mended, call))
  if (again.fits) return taken(again, question)
  throw new PermanentError(
    'REPLY_INVALID',
    `The reply to ${question.name} does not fit what was asked for, also when asked again: ${again.problem}. Another model may do better: see models in the collection's settings.`,
  )
}

function taken<Value>({ value, cut }: { value: Value; cut: Cut }, { onCut }: Question): Value {
  if (onCut && Object.keys(cut).length > 0) onCut(cut)
  return value
}

interface Saying {
  readonly step: string
  readonly call: Call
  readonly question: Question
}

/** One call, as a step: once its answer is stored it is not paid for again, whatever happens after it. A worker that dies between answer and storing pays twice. */
async function say(asking: Asking, context: AskContext, { step, call, question }: Saying): Promise<Said> {
  const { onCall, maxJobUsd } = question
  const said = await context.step<Said>(step, async () => {
    await asking.withinBudget(maxJobUsd)
    const called = await makeCall(asking, context, call)
    if ('said' in called) return called.said
    onCall?.(called.facts)
    throw called.error
  })
  if (said.facts) onCall?.(said.facts)
  return said
}

function toCall(
  { name, model, instructions, data, reply, promptVersion, maxTokens, temperature }: Question,
  settings: CollectionSettings,
  { job }: AskContext,
): Call {
  const added = settings.prompts[job.type]
  return {
    ...{ question: name, promptVersion, model: settings.models[model], role: model, schema: toStrictSchema(reply) },
    ...{ maxTokens: maxTokens ?? standardTokens, temperature: temperature ?? standardTemperature },
    messages: writeMessages({
      instructions: added === undefined ? instructions : `${instructions}\n\n${added}`,
      ...{ data, boundary: newBoundary(), schemaWords: schemaInWords(reply) },
    }),
  }
}

/** Of all that the reply depends on: another question is not answered with a stored reply. The boundary is another one each time. */
function fingerprint(
  { instructions, data, promptVersion }: Question,
  { model, schema, maxTokens }: Call,
  added: string | undefined,
): string {
  return createHash('sha256')
    .update(JSON.stringify([model, instructions, added, data, schema, maxTokens, promptVersion]))
    .digest('hex')
    .slice(0, 16)
}

function uncut(said: Said, { question, maxTokens }: Call): string {
  if (!said.cut) return said.content
  throw new PermanentError(
    'REPLY_CUT',
    `The reply to ${question} was cut twice, the second time after ${maxTokens * 2} tokens${said.content.trim() === '' ? ', all of them spent on thinking' : ''}: nothing of it is used. Give the model less at once, or choose another one in the collection's settings.`,
  )
}

function pleaseMend(problem: string): string {
  return `That does not fit the schema: ${problem}. Answer again, with the whole JSON and nothing else.`
}
