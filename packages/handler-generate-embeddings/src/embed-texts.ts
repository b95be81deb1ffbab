import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import type { CollectionSettings, Gateway, HashedChunk } from '@sidelinja/jobs-kit'
import type { NewEmbedding } from '@sidelinja/jobs-kit/storage'

/** Goes up when texts are embedded in another way. */
const PROMPT_VERSION = 'generate_embeddings/1'

/** What there is to embed. */
export interface Material {
  readonly chunks: readonly HashedChunk[]
  /** By hash: the texts that have a vector, and of how many numbers. */
  readonly stored: ReadonlyMap<string, number>
  readonly settings: CollectionSettings
}

/** All texts of a node with their vectors; null for a vector that is there already. */
export interface Embedded {
  readonly texts: readonly NewEmbedding[]
  readonly dimensions: number | null
  readonly embedded: number
}

/**
 * Asks for the vectors of texts that have none. Where those come out with another number of dimensions than the ones that are there, the alias has got another model: then all are asked for, since
 * vectors of two models cannot be compared.
 */
export async function embedTexts(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { chunks, stored, settings }: Material,
): Promise<Embedded> {
  const expected = settings.embeddings.dimensions
  const isKept = ({ hash }: HashedChunk) => stored.has(hash) && (expected === undefined || stored.get(hash) === expected)
  const ask = async (missing: readonly HashedChunk[]) => {
    const texts = missing.map(({ text }) => text)
    const vectors = await gateway.embed(context, settings, { name: 'texts', texts, promptVersion: PROMPT_VERSION })
    return new Map(missing.map(({ hash }, index) => [hash, vectors[index] ?? null]))
  }
  const kept = chunks.filter(isKept)
  const asked = await ask(chunks.filter((chunk) => !isKept(chunk)))
  const [first] = asked.values()
  const dimensions = first?.length ?? stored.get(kept[0]?.hash ?? '') ?? null
  if (kept.every(({ hash }) => stored.get(hash) === dimensions)) return toEmbedded(chunks, asked, dimensions)
  return toEmbedded(chunks, new Map([...asked, ...(await ask(kept))]), dimensions)
}

function toEmbedded(chunks: readonly HashedChunk[], asked: ReadonlyMap<string, Float32Array | null>, dimensions: number | null): Embedded {
  return { texts: chunks.map((chunk) => ({ ...chunk, vector: asked.get(chunk.hash) ?? null })), dimensions, embedded: asked.size }
}
