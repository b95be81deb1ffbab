import { createHash } from 'node:crypto'
import { isJobsError } from '@sidelinja/jobs-core'
import { isUpstreamError } from '../http/upstream-error.ts'
import type { Asking } from './ask.ts'
import { makeCall } from './call.ts'
import type { AskContext, Completion, Prompt } from './gateway.ts'
import { checkQuestionName } from './question-name.ts'
import type { CallFacts } from './usage.ts'

const mostMessage = 500
const ofOnePrompt = ['CONTEXT_TOO_LONG', 'REPLY_REFUSED', 'REPLY_TOO_LARGE', 'MODEL_KEY_REFUSED']
/** What the gateway says to one model or one prompt. A key that it does not take, and credit that is spent, are everybody's trouble. */
const statusesOfOnePrompt = [400, 403, 404, 413, 422]

/** One call, as a step; that the model has no output for this prompt is an outcome of it. */
export async function complete(asking: Asking, context: AskContext, prompt: Prompt): Promise<Completion> {
  checkQuestionName(prompt.name)
  const { name, maxJobUsd, ...rest } = prompt
  return await context.step<Completion>(`complete ${name} ${fingerprint(prompt)}`, async () => {
    await asking.withinBudget(maxJobUsd)
    const called = await makeCall(asking, context, { question: name, ...rest })
    if ('said' in called) return { output: called.said.content, cut: called.said.cut, error: null, facts: called.said.facts }
    return withoutOutput(called.error, called.facts)
  })
}

function withoutOutput(error: unknown, facts: CallFacts): Completion {
  if (!isJobsError(error) || !isOfOnePrompt(error)) throw error
  return { output: '', cut: false, error: { code: error.code, message: error.message.slice(0, mostMessage).toWellFormed() }, facts }
}

function isOfOnePrompt(error: { code: string }): boolean {
  if (!isUpstreamError(error)) return ofOnePrompt.includes(error.code)
  return !error.retryable && statusesOfOnePrompt.includes(error.status ?? 0)
}

/** Of all that the output depends on: another prompt is not answered with a stored output. */
function fingerprint({ model, messages, maxTokens, temperature, seed, promptVersion }: Prompt): string {
  const parts = [model, messages.map(({ role, content }) => [role, content]), maxTokens, temperature, seed ?? null, promptVersion]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}
