import { createHash } from 'node:crypto'
import { isJobsError } from '@sidelinja/jobs-core'
import { isUpstreamError } from '../http/upstream-error.ts'
import type { Asking } from './ask.ts'
import { type Called, makeCall } from './call.ts'
import type { AskContext, Completion, Prompt } from './gateway.ts'
import { checkQuestionName } from './question-name.ts'
import type { CallFacts } from './usage.ts'

const mostMessage = 500
const ofOnePrompt = ['CONTEXT_TOO_LONG', 'REPLY_EMPTY', 'REPLY_REFUSED', 'REPLY_TOO_LARGE', 'MODEL_KEY_REFUSED']
/** What the gateway says to one model or one prompt. A key that it does not take, and credit that is spent, are everybody's trouble. */
const statusesOfOnePrompt = [400, 403, 404, 413, 422]

/** One call, as a step; that the model has no output for this prompt is an outcome of it. */
export async function complete(asking: Asking, context: AskContext, prompt: Prompt): Promise<Completion> {
  checkQuestionName(prompt.name)
  const { name, maxJobUsd, ...rest } = prompt
  return await context.step<Completion>(`complete ${name} ${fingerprint(prompt)}`, async () => {
    const ask = async () => {
      await asking.withinBudget(maxJobUsd)
      return await makeCall(asking, context, { question: name, ...rest })
    }
    const first = await ask()
    // A model that was just started says nothing; one that says nothing twice has nothing to say, and would be paid for it in each attempt.
    const called = isEmpty(first) && mayAskAgain(first, maxJobUsd) ? withCostOf(first, await ask()) : first
    if ('said' in called) return { output: called.said.content, cut: called.said.cut, error: null, facts: called.said.facts }
    return withoutOutput(called.error, called.facts)
  })
}

function isEmpty(called: Called): called is Extract<Called, { error: unknown }> {
  return 'error' in called && isJobsError(called.error) && called.error.code === 'REPLY_EMPTY'
}

/** Under a cap a call whose cost nobody tells is the last one. */
function mayAskAgain({ facts }: Called & { facts: CallFacts }, maxJobUsd: number | undefined): boolean {
  return maxJobUsd === undefined || facts.costUsd !== null
}

/** What both calls took; the time is that of the answer. */
function withCostOf({ facts: before }: { facts: CallFacts }, called: Called): Called {
  const after = 'said' in called ? called.said.facts : called.facts
  const sum = (key: 'promptTokens' | 'completionTokens' | 'costUsd') =>
    before[key] === null && after[key] === null ? null : (before[key] ?? 0) + (after[key] ?? 0)
  // Half a cost is none that is known.
  const costUsd = before.costUsd === null || after.costUsd === null ? null : sum('costUsd')
  const facts = { ...after, promptTokens: sum('promptTokens'), completionTokens: sum('completionTokens'), costUsd }
  return 'said' in called ? { said: { ...called.said, facts } } : { error: called.error, facts }
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
