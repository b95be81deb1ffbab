import { createHash } from 'node:crypto'
import { PermanentError } from '@sidelinja/jobs-core'
import { readVectors } from '../embeddings/read-vectors.ts'
import { fromBase64, toBase64 } from '../embeddings/vector.ts'
import type { HttpResponse } from '../http/http-client.ts'
import type { CollectionSettings } from '../settings/collection-settings.ts'
import type { Asking } from './ask.ts'
import { parseEmbeddings, sendTexts } from './call-embeddings.ts'
import { explainRefusal, wantsFewerTexts } from './explain-refusal.ts'
import type { AskContext, EmbeddingRequest } from './gateway.ts'
import { keepCall, ownCode } from './keep-call.ts'
import { checkQuestionName } from './question-name.ts'
import type { EmbeddingsReply } from './reply.ts'
import { readUsage } from './usage.ts'

/** So many of the longest vectors fit into a step, and into one answer. */
const mostTexts = 32
/** Gateways and models have other bounds; this is below them all. */
const mostCharacters = 200_000

/** Gets the vectors of texts, batch by batch, each call a step: it is paid for once, whatever happens after it. */
export async function embed(
  asking: Asking,
  context: AskContext,
  settings: CollectionSettings,
  request: EmbeddingRequest,
): Promise<Float32Array[]> {
  checkQuestionName(request.name)
  const vectors: Float32Array[] = []
  for (const texts of batchesOf(request.texts)) {
    vectors.push(...(await embedHalving(asking, context, settings, { ...request, texts })))
    context.signal.throwIfAborted()
  }
  const sizes = [...new Set(vectors.map(({ length }) => length))]
  // Of different calls: the alias has another model behind it since the first.
  if (sizes.length > 1) throw changedMeanwhile(settings.models.embedding, sizes)
  return vectors
}

/** By number and by size; one text at least. */
function* batchesOf(texts: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === mostTexts || characters + text.length > mostCharacters)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(text)
    characters += text.length
  }
  if (batch.length > 0) yield batch
}

/** A batch that is refused is halved, down to single texts, so that one text says which it is. */
async function embedHalving(
  asking: Asking,
  context: AskContext,
  settings: CollectionSettings,
  request: EmbeddingRequest,
): Promise<Float32Array[]> {
  const { texts } = request
  const half = Math.ceil(texts.length / 2)
  const stored = await embedBatch(asking, context, settings, request)
  if (stored !== undefined) return stored
  const halves = [texts.slice(0, half), texts.slice(half)]
  const vectors: Float32Array[] = []
  for (const part of halves) vectors.push(...(await embedHalving(asking, context, settings, { ...request, texts: part })))
  return vectors
}

/** @returns undefined where fewer texts should be sent: that is a step, too, so that another attempt does not begin with the same refusal. */
async function embedBatch(
  asking: Asking,
  context: AskContext,
  settings: CollectionSettings,
  request: EmbeddingRequest,
): Promise<Float32Array[] | undefined> {
  const model = settings.models.embedding
  const step = `embed ${request.name} ${fingerprint(model, request)}`
  const encoded = await context.step(step, async () => {
    await asking.withinBudget(request.maxJobUsd)
    return await callOnce(asking, context, settings, request)
  })
  if (encoded === null) return undefined
  return encoded.map((text) => fromBase64(text) ?? new Float32Array())
}

/** Sends one call and keeps what it took. @returns null where fewer texts should be sent. */
async function callOnce(
  asking: Asking,
  context: AskContext,
  settings: CollectionSettings,
  { name, texts, promptVersion, onCall }: EmbeddingRequest,
): Promise<string[] | null> {
  const model = settings.models.embedding
  const startedAt = performance.now()
  let sent = false
  let response: HttpResponse | undefined
  let reply: EmbeddingsReply | undefined
  let errorCode: string | null = null
  try {
    response = await asking.breaker.call(() => {
      sent = true
      return sendTexts(asking, { model, texts, signal: context.signal })
    })
    reply = parseEmbeddings(response)
    return readVectors(reply, { count: texts.length, dimensions: settings.embeddings.dimensions }).map(toBase64)
  } catch (thrown) {
    const error = explainRefusal(thrown, { model, role: 'embedding' })
    errorCode = ownCode(error)
    if (texts.length > 1 && wantsFewerTexts(thrown)) return null
    throw error
  } finally {
    const latencyMs = Math.round(performance.now() - startedAt)
    if (sent) {
      const usage = readUsage(response?.headers ?? {}, reply)
      const { modelServed, promptTokens, completionTokens, costUsd } = usage
      onCall?.({ modelServed, promptTokens, completionTokens, costUsd, latencyMs })
      await keepCall(asking, context, { question: name, promptVersion, model }, { ...usage, errorCode, latencyMs })
    }
  }
}

function fingerprint(model: string, { texts, promptVersion }: EmbeddingRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([model, promptVersion, texts]))
    .digest('hex')
    .slice(0, 16)
}

function changedMeanwhile(model: string, sizes: readonly number[]): PermanentError {
  return new PermanentError(
    'EMBEDDING_DIMENSIONS',
    `Model ${JSON.stringify(model)} gave vectors of ${sizes.join(' and of ')} numbers for one text: another model stands behind that name now. Enqueue the job anew.`,
  )
}
