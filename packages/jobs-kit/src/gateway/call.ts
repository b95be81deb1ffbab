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

/** One call, ready to be sent. */
export interface Call {
  readonly question: string
  readonly promptVersion: string
  /** The alias, as the gateway knows it. */
  readonly model: string
  readonly role: ModelRole
  readonly messages: readonly ChatMessage[]
  /** In the strict form. */
  readonly schema: JsonObject
  readonly maxTokens: number
  readonly temperature: number
}

/** With thoughts and headers around the reply. */
const maxAnswerBytes = 4 * 1024 * 1024
/** As JSON. A step holds 1 MiB, counted on the high side. */
const maxReplyBytes = 1_000_000

/**
 * Sends one call and keeps what it took, whatever becomes of it.
 * @throws see {@link Gateway.ask}
 */
export async function makeCall(parts: GatewayParts, context: AskContext, call: Call): Promise<Said> {
  const startedAt = performance.now()
  let sent = false
  let response: HttpResponse | undefined
  let reply: ChatReply | undefined
  let errorCode: string | null = null
  try {
    response = await parts.breaker.call(() => {
      sent = true
      return send(parts, context, call)
    })
    reply = parseReply(response)
    return keepable(classifyReply(reply), call)
  } catch (thrown) {
    const error = explainRefusal(thrown, call)
    errorCode = ownCode(error)
    throw error
  } finally {
    // What was never sent is no call.
    if (sent) await keepCall(parts, context, call, { response, reply, errorCode, latencyMs: Math.round(performance.now() - startedAt) })
  }
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
      response_format: { type: 'json_schema', json_schema: { name: call.question, strict: true, schema: call.schema } },
      // Else a provider without schemas may be chosen, and the schema ignored.
      ...(url.hostname === 'openrouter.ai' && { provider: { require_parameters: true } }),
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
