import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import { describeAnswer } from '../http/describe-answer.ts'
import { tooLong } from './explain-refusal.ts'
import type { ChatReply } from './reply.ts'
import type { CallFacts } from './usage.ts'

/** What the model said, as a type that a step can store. */
export type Said = {
  content: string
  /** True: the reply ends in the middle, for want of room. Whatever it looks like, it is not parsed. */
  cut: boolean
  /** Not in what releases before this one stored. */
  facts?: CallFacts
}

/** By number, and by name where one is given. */
const transientCodes = /^(?:408|409|425|429|500|502|503|504|52[0-4]|529)$|rate.?limit|overload|unavailable|time.?out|server|internal/i
/** OpenAI's word for it, and those of servers that others are known to pass on as they come. */
const cutReasons = /^(?:length|model_length|max_(?:output_)?tokens)$/i
const refusals = ['content_policy_violation', 'refusal', 'content_filter']

/**
 * Sorts an answer of status 200, in this order: an error in its body; no choice; an error in the choice; a refusal; a filter; a reply that was cut; tool calls; nothing
 * at all. Nothing is parsed here.
 * @throws PermanentError `REPLY_REFUSED`, `CONTEXT_TOO_LONG`; TransientError `REPLY_FAILED`, `REPLY_EMPTY`
 */
export function classifyReply(reply: ChatReply): Said {
  if (reply.error) throw failed(reply.error)
  const choice = reply.choices?.[0]
  if (choice === undefined) throw empty('no choices')
  if (choice.error) throw failed(choice.error)
  if (choice.finish_reason === 'error') throw failed({ message: 'finish_reason is error', code: null })
  const { content, refusal, tool_calls } = choice.message ?? {}
  if (refusal) throw refused(refusal)
  if (choice.finish_reason === 'content_filter') throw refused('finish_reason is content_filter')
  const called = tool_calls?.[0]?.function.arguments
  // Some say beside a call that they make one.
  const said = content?.trim() && (choice.finish_reason !== 'tool_calls' || called === undefined) ? content : (called ?? '')
  if (cutReasons.test(choice.finish_reason ?? '')) return { content: said, cut: true }
  if (said.trim() === '') throw empty('no content')
  return { content: said, cut: false }
}

/** What an error within an answer of status 200 means. */
export function failed(error: { message: string; code?: number | string | null | undefined; [key: string]: unknown }): Error {
  const type = (error.metadata as { error_type?: unknown } | undefined)?.error_type
  const text = describeAnswer(error.message).slice(0, 500)
  if (typeof type === 'string' && refusals.includes(type)) return refused(text)
  if (tooLong.test(`${type} ${error.code} ${text}`)) {
    return new PermanentError(
      'CONTEXT_TOO_LONG',
      `The question is longer than the model can take. The AI gateway answered 200 with: ${text}`,
    )
  }
  // OpenRouter's, which knows better than the code.
  const { retryable } = (error.availability ?? {}) as { retryable?: unknown }
  if (retryable ?? (error.code === null || error.code === undefined || transientCodes.test(String(error.code)))) {
    return new TransientError(
      'REPLY_FAILED',
      `The AI gateway answered 200 with an error in it (${String(error.code ?? type ?? 'no code')}): ${text}`,
    )
  }
  return new PermanentError(
    'REPLY_REFUSED',
    `The AI gateway answered 200 with an error in it that another try would meet again (${String(error.code)}): ${text}`,
  )
}

function refused(reason: string): PermanentError {
  return new PermanentError('REPLY_REFUSED', `The model will not answer this: ${describeAnswer(reason).slice(0, 500)}`)
}

function empty(what: string): TransientError {
  return new TransientError('REPLY_EMPTY', `The AI gateway answered 200 with ${what}.`)
}
