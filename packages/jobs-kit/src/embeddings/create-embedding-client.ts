import { parseEmbeddings, sendTexts } from '../gateway/call-embeddings.ts'
import { explainRefusal } from '../gateway/explain-refusal.ts'
import type { GatewayConfig } from '../gateway/gateway.ts'
import { createHttpClient } from '../http/create-http-client.ts'
import { readVectors } from './read-vectors.ts'

/** Gets vectors outside of any job. */
export interface EmbeddingClient {
  /**
   * The vector of a text, at length one: what somebody looks for, for `searchEmbeddings`. One call, tried once; nothing is recorded, and no budget asked.
   * @throws what `Gateway.embed` throws, but for budgets and breakers.
   */
  embed(model: string, text: string, signal: AbortSignal): Promise<Float32Array>
}

/** For an application that searches: the same gateway and the same model as the worker's. Nothing is connected here. */
export function createEmbeddingClient(config: GatewayConfig): EmbeddingClient {
  const client = createHttpClient({ service: 'gateway' })
  return Object.freeze({
    async embed(model: string, text: string, signal: AbortSignal) {
      const response = await sendTexts({ client, config }, { model, texts: [text], signal }).catch((error) => {
        throw explainRefusal(error, { model, role: 'embedding' })
      })
      const [vector] = readVectors(parseEmbeddings(response), { count: 1, dimensions: undefined })
      return vector as Float32Array
    },
  })
}
