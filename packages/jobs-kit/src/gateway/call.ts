import { TransientError } from '@sidelinja/jobs-core'
import type { ChatMessage } from '../ai-text/messages/chat-message.ts'
import type { HttpResponse } from '../http/http-client.ts'
import type { JsonObject } from '../json-object.ts'
import { classifyReply, type Said } from './classify-reply.ts'
import { explainRefusal, replyTooLarge } from './explain-refusal.ts'
import type { AskContext, ModelRole } from './gateway.ts'
import { addressOf, type GatewayParts, keyOf, timeoutOf } from './gateway-parts.ts'
import { keepCall, ownCode } from './keep-call.ts'
import { type ChatReply, chatReply } from './reply.ts'
import { type CallFacts, readUsage } from './usage.ts'

/** One call, ready to be sent. */
export interface Call {
  readonly question: string
  readonly promptVersion: string
  /** The alias, as the gateway knows it. */
  readonly model: string
  /** Which of the collection's models it is; undefined: the job names it itself. */
  readonly role?: ModelRole | undefined
  readonly messages: readonly ChatMessage[]
  /** In the strict form; undefined: the reply is free text. */
  readonly schema?: JsonObject | undefined
  readonly maxTokens: number
  readonly temperature: number
  readonly seed?: number | undefined
}

/** What became of a call: what the model said, or why it said nothing. */
export type Called = { readonly said: Said & { facts: CallFacts } } | { readonly error: unknown; readonly facts: CallFacts }

/** With thoughts and headers around the reply. */
const maxAnswerBytes = 4 * 1024 * 1024
/** As JSON. A step holds 1 MiB, counted on the high side. */
const maxReplyBytes = 1_000_000

/** Sends one call and keeps what it took, whatever becomes of it. Its error is one of those of {@link Gateway.ask}. */
export async function makeCall(parts: GatewayParts, context: AskContext, call: Call): Promise<Called> {
  const startedAt = performance.now()
  let sent = false
  let response: HttpResponse | undefined
  let reply: ChatReply | undefined
  let said: Said | undefined
  let error: unknown
  try {
    response = await parts.breaker.call(() => {
      sent = true
      return send(parts, context, call)
    })
    reply = parseReply(response)
    said = keepable(classifyReply(reply), call)
  } catch (thrown) {
    error = explainRefusal(thrown, call)
  }
  const usage = readUsage(response?.headers ?? {}, reply)
  const latencyMs = Math.round(performance.now() - startedAt)
  // What was never sent is no call.
  if (sent) await keepCall(parts, context, call, { ...usage, latencyMs, errorCode: said ? null : ownCode(error) })
  const { modelServed, promptTokens, completionTokens, costUsd } = usage
  const facts: CallFacts = { modelServed, promptTokens, completionTokens, costUsd, latencyMs }
  return said ? { said: { ...said, facts } } : { error, facts }
}

async function send({ client, config }: GatewayParts, { signal }: AskContext, call: Call): Promise<HttpResponse> {
  const url = addressOf(config, 'chat/completions')
  return await client.request({
    ...{ method: 'POST', url, signal, timeoutMs: timeoutOf(config), maxBytes: maxAnswerBytes },
    ...keyOf(config),
    json: {
      ...{
        model: call.model,
        messages: call.messages.map(({ role, content }) => ({ role, content })),
        max_tokens: call.maxTokens,
        temperature: call.temperature,
      },
      ...(call.seed !== undefined && { seed: call.seed }),
      ...(call.schema && {
        response_format: { type: 'json_schema', json_schema: { name: call.question, strict: true, schema: call.schema } },
      }),
      // Else a provider without schemas may be chosen, and the schema ignored.
      ...(call.schema && url.hostname === 'openrouter.ai' && { provider: { require_parameters: true } }),
    },
  })
}

function parseReply(response: HttpResponse): ChatReply {
  const parsed = chatReply.safeParse(response.json())
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new TransientError('REPLY_FAILED', `The AI gateway answered 200 with JSON that is no chat completion (at ${where || 'its top'}).`)
}

function keepable(said: Said, { question, maxTokens, model }: Call): Said {
  const bytes = Buffer.byteLength(JSON.stringify(said))
  if (bytes <= maxReplyBytes) return said
  throw replyTooLarge(
    `The reply of ${model} to ${question} has ${bytes} bytes, of ${maxReplyBytes} at most; it was given ${maxTokens} tokens.`,
  )
}
