import { TransientError } from '@sidelinja/jobs-core'
import type { HttpClient, HttpResponse } from '../http/http-client.ts'
import { failed } from './classify-reply.ts'
import type { GatewayConfig } from './gateway.ts'
import { addressOf, keyOf, timeoutOf } from './gateway-parts.ts'
import { type EmbeddingsReply, embeddingsReply } from './reply.ts'

/** A full batch of the longest vectors, as numbers with all their digits. */
const maxAnswerBytes = 8 * 1024 * 1024

/** Where vectors are got from. */
export interface EmbeddingCaller {
  readonly client: HttpClient
  readonly config: GatewayConfig
}

/** Sends one call for the vectors of some texts. */
export async function sendTexts(
  { client, config }: EmbeddingCaller,
  { model, texts, signal }: { readonly model: string; readonly texts: readonly string[]; readonly signal: AbortSignal },
): Promise<HttpResponse> {
  const { embeddingFormat: format = 'float' } = config
  return await client.request({
    ...{ method: 'POST', url: addressOf(config, 'embeddings'), signal, timeoutMs: timeoutOf(config), maxBytes: maxAnswerBytes },
    ...keyOf(config),
    json: { model, input: [...texts], ...(format !== 'omit' && { encoding_format: format }) },
  })
}

/** @throws TransientError `REPLY_FAILED` for what is no list of vectors, and whatever an error within it means. */
export function parseEmbeddings(response: HttpResponse): EmbeddingsReply {
  const parsed = embeddingsReply.safeParse(response.json())
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? ''
    throw new TransientError('REPLY_FAILED', `The AI gateway answered 200 with JSON that is no list of vectors (at ${where || 'its top'}).`)
  }
  if (parsed.data.error) throw failed(parsed.data.error)
  return parsed.data
}
