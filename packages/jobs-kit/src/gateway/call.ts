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
import { type CallFacts, readUsage, type Usage } from './usage.ts'

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

const defaultTimeoutMs = 300_000
/** Somebody may hold the collection's row. */
const recordMs = 5_000
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
  if (sent) await keep(parts, context, call, { ...usage, latencyMs, errorCode: said ? null : ownCode(error) })
  const { modelServed, promptTokens, completionTokens, costUsd } = usage
  const facts: CallFacts = { modelServed, promptTokens, completionTokens, costUsd, latencyMs }
  return said ? { said: { ...said, facts } } : { error, facts }
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

type Outcome = Usage & { latencyMs: number; errorCode: string | null }

/** A row that cannot be kept does not cost the answer, which is paid for. */
async function keep({ db }: GatewayParts, { job, log }: AskContext, call: Call, outcome: Outcome): Promise<void> {
  const row: AiCall = {
    ...{ collectionNodeId: job.collectionNodeId, jobId: job.id, jobType: job.type, run: job.run },
    ...{ question: call.question, promptVersion: call.promptVersion, modelAlias: call.model },
    ...outcome,
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
