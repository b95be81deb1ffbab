import { randomUUID } from 'node:crypto'
import { type Answer, jsonAnswer } from '../server/answer.ts'
import { checkChat } from './chat/check-chat.ts'
import { usageOfAnswer } from './chat/completion.ts'
import { estimateTokens } from './chat/tokens.ts'
import { answerChat, modelName } from './extractive/answer-chat.ts'
import { type Manners, mannersOf } from './manners.ts'
import type { GatewayRequest, GatewayStandInOptions } from './options.ts'
import { scriptedAnswer } from './scripted/scripted-answer.ts'
import { answerEmbeddings, checkEmbeddings, type EmbeddingsRequest } from './vectors/answer-embeddings.ts'
import { hashedNgrams } from './vectors/hashed-ngrams.ts'

const defaultModels = ['sidelinja/rutine', 'sidelinja/resonnering']
const embeddingAlias = 'sidelinja/embed'
const scripted = 'scripted/'

/** What the gateway says: the key first, then the route, the request, and the model. */
export async function answerGateway(request: GatewayRequest, options: GatewayStandInOptions): Promise<Answer> {
  const started = performance.now()
  const manners = mannersOf(options)
  const answer = refuseKey(request, options, manners) ?? (await answerRoute(request, options, manners))
  return finish(answer, request, { manners, started })
}

/** A completion that somebody gives in place of the model has its cost told like the model's; anything else need not come from the gateway. */
export function dressCompletion(answer: Answer, request: GatewayRequest, options: GatewayStandInOptions): Answer {
  if (usageOfAnswer(answer) === undefined) return answer
  return finish(answer, request, { manners: mannersOf(options), started: performance.now() })
}

function finish(answer: Answer, { chat }: GatewayRequest, { manners, started }: { manners: Manners; started: number }): Answer {
  const alias = chat?.model
  const ids = { callId: randomUUID(), modelId: modelName, modelGroup: typeof alias === 'string' ? alias : undefined }
  return manners.finish(answer, { ...ids, usage: usageOfAnswer(answer), durationMs: performance.now() - started })
}

function refuseKey({ headers }: GatewayRequest, { apiKey }: GatewayStandInOptions, manners: Manners): Answer | undefined {
  if (apiKey === undefined) return undefined
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (given === apiKey) return undefined
  return manners.refuse(401, given === undefined ? manners.noKey : manners.wrongKey, { type: 'auth_error', param: 'None' })
}

async function answerRoute(request: GatewayRequest, options: GatewayStandInOptions, manners: Manners): Promise<Answer> {
  const { models = defaultModels } = options
  const route = `${request.method} ${request.path}`
  if (route === 'GET /v1/models' || route === 'GET /models') return listModels(options.models ?? [...models, embeddingAlias])
  if (request.path === '/v1/embeddings' || request.path === '/embeddings') return embedTexts(request, options, manners)
  if (request.path !== '/v1/chat/completions' && request.path !== '/chat/completions') return jsonAnswer(404, { detail: 'Not Found' })
  if (request.method !== 'POST') return jsonAnswer(405, { detail: 'Method Not Allowed' })
  return completeChat(request, { ...options, models }, manners)
}

async function completeChat(
  request: GatewayRequest,
  options: GatewayStandInOptions & { models: readonly string[] },
  manners: Manners,
): Promise<Answer> {
  const { chat } = request
  const fault = chat === undefined ? { message: 'The body is not a JSON object.', param: 'body' } : checkChat(chat)
  if (chat === undefined || fault !== undefined) {
    return manners.refuse(400, fault?.message ?? '', { type: 'invalid_request_error', param: fault?.param ?? null })
  }
  const { model } = chat
  const fixed = model.startsWith(scripted) ? scriptedAnswer(model.slice(scripted.length)) : undefined
  if (fixed !== undefined) return fixed
  if (!options.models.includes(model)) return manners.unknownModel(model)
  const own = await options.answer?.(request)
  if (own !== undefined) return own
  const limit = options.contextTokens ?? 128_000
  const needed = estimateTokens(JSON.stringify(chat.messages)) + (chat.max_completion_tokens ?? chat.max_tokens ?? 0)
  if (needed > limit) return manners.contextExceeded(limit, needed)
  return answerChat(chat)
}

async function embedTexts(request: GatewayRequest, options: GatewayStandInOptions, manners: Manners): Promise<Answer> {
  if (request.method !== 'POST') return jsonAnswer(405, { detail: 'Method Not Allowed' })
  const asked = request.chat as EmbeddingsRequest | undefined
  const fault = asked === undefined ? 'The body is not a JSON object.' : checkEmbeddings(asked)
  if (asked === undefined || fault !== undefined) return manners.refuse(400, fault ?? '', { type: 'invalid_request_error', param: 'input' })
  if (asked.model !== embeddingAlias) return manners.unknownModel(asked.model)
  return (await options.answerEmbeddings?.(asked.input)) ?? answerEmbeddings(asked, options.embedder ?? hashedNgrams)
}

function listModels(models: readonly string[]): Answer {
  const data = models.map((id) => ({ id, object: 'model', created: 1_780_300_000, owned_by: modelName }))
  return jsonAnswer(200, { object: 'list', data })
}
