import { STATUS_CODES } from 'node:http'
import { type Answer, jsonAnswer } from '../../server/answer.ts'
import { liteLlmError } from '../manners.ts'
import { fixedAnswers } from './fixed-answers.ts'

/** Seconds that answers with a Retry-After ask for. */
const retryAfterS = '20'
const askToWait = new Set(['402-openrouter-inflight', '429-litellm', '429', '503'])

/** The scripted answer of that name; undefined when there is none. */
export function scriptedAnswer(name: string): Answer | undefined {
  const plain = name.replace(/\.json$/, '')
  const headers: Record<string, string> = askToWait.has(plain) ? { 'retry-after': retryAfterS } : {}
  const fixed = Object.hasOwn(fixedAnswers, plain) ? fixedAnswers[plain] : undefined
  if (fixed !== undefined) return jsonAnswer(Number(plain.slice(0, 3)), fixed, headers)
  const status = /^[45]\d\d$/.test(plain) ? Number(plain) : undefined
  if (status === undefined) return undefined
  return jsonAnswer(status, liteLlmError(status, `litellm: ${STATUS_CODES[status] ?? 'Error'} (scripted)`, null), headers)
}

/**
 * A scripted answer of the gateway, for `fail({ times: 3, answer: scriptedGatewayAnswer('429-litellm') })`.
 * @param name - of a fixed answer, like `200-refusal`, or a status, like `503`
 * @throws RangeError when there is none of that name
 */
export function scriptedGatewayAnswer(name: string): Answer {
  const answer = scriptedAnswer(name)
  if (answer === undefined) {
    throw new RangeError(`There is no scripted answer ${name}: a status from 400 to 599, or one of ${Object.keys(fixedAnswers).join(', ')}`)
  }
  return answer
}
