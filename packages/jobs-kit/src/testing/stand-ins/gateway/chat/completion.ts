import type { JsonValue } from '@sidelinja/jobs-core'
import { type Answer, jsonAnswer } from '../../server/answer.ts'
import { estimateTokens } from './tokens.ts'

/** What a call used. */
export interface Usage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  cost?: number
}

/** What else an answer of a model says. */
export interface ReplyOptions {
  /** Default stop. */
  finishReason?: string
  /** Default scripted. */
  model?: string
  /** Default 100. */
  promptTokens?: number
}

/** An answer of a model with this content, which is text or is written as JSON. For `fail({ answer })` and the option `answer`. */
export function gatewayReply(
  content: JsonValue,
  { finishReason = 'stop', model = 'scripted', promptTokens = 100 }: ReplyOptions = {},
): Answer {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  const completionTokens = estimateTokens(text)
  return jsonAnswer(200, {
    id: 'chatcmpl-stand-in',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', content: text } }],
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens },
  })
}

/** The usage that an answer tells of; undefined when it tells of none. */
export function usageOfAnswer({ status, body }: Answer): Usage | undefined {
  if (status !== 200) return undefined
  try {
    const { usage } = JSON.parse(String(body)) as { usage?: Usage }
    // Calls for vectors tell of no completion.
    return typeof usage?.prompt_tokens === 'number' ? { ...usage, completion_tokens: usage.completion_tokens ?? 0 } : undefined
  } catch {
    return undefined
  }
}
