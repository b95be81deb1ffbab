import { TransientError } from '@sidelinja/jobs-core'
import type { ChatMessage } from '../ai-text/messages/chat-message.ts'
import type { HttpResponse } from '../http/http-client.ts'
import type { JsonObject } from '../json-object.ts'
import { type AiCall, insertAiCall } from '../storage/ai-calls/index.ts'
import { within } from '../within.ts'
import { classifyReply, type Said } from './classify-reply.ts'
import { explainRefusal, replyTooLarge } from './explain-refusal.ts'
import type { AskContext, ModelRole } from './gateway.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { type ChatReply, chatReply } from './reply.ts'
import { readUsage } from './usage.ts'

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

const defaultTimeoutMs = 300_000
/** Somebody may hold the collection's row. */
const recordMs = 5_000
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
    if (sent) await keep(parts, context, call, { response, reply, errorCode, latencyMs: Math.round(performance.now() - startedAt) })
  }
}

async function send({ client, config }: GatewayParts, { signal }: AskContext, call: Call): Promise<HttpResponse> {
  const url = new URL(config.url)
  url.pathname = `${config.url.pathname.replace(/\/$/, '')}/v1/chat/completions`
  return await client.request({
    ...{ method: 'POST', url, signal, timeoutMs: config.timeoutMs ?? defaultTimeoutMs, maxBytes: maxAnswerBytes },
    ...(config.apiKey && { headers: { authorization: `Bearer ${config.apiKey}` } }),
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

interface Outcome {
  response: HttpResponse | undefined
  reply: ChatReply | undefined
  errorCode: string | null
  latencyMs: number
}

/** A row that cannot be kept does not cost the answer, which is paid for. */
async function keep({ db }: GatewayParts, { job, log }: AskContext, call: Call, outcome: Outcome): Promise<void> {
  const row: AiCall = {
    ...{ collectionNodeId: job.collectionNodeId, jobId: job.id, jobType: job.type, run: job.run },
    ...{ question: call.question, promptVersion: call.promptVersion, modelAlias: call.model },
    ...readUsage(outcome.response?.headers ?? {}, outcome.reply),
    ...{ latencyMs: outcome.latencyMs, errorCode: outcome.errorCode },
  }
  await within(recordMs, insertAiCall(db, row)).catch((error) =>
    log.warn('A call of the AI gateway could not be recorded', { code: codeOf(error) ?? 'unknown' }),
  )
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** Of what happened to this call, also where it opened the breaker. Whatever ends a job while it asks has no code. */
function ownCode(error: unknown): string {
  const cause = codeOf(error) === 'SERVICE_DOWN' ? (error as { cause?: unknown }).cause : error
  return codeOf(cause) ?? 'ABORTED'
}
