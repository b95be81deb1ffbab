import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import { type CollectionSettings, chunkNode, quoteOccurs, type Services } from '@sidelinja/jobs-kit'
import { PROMPT_VERSION } from './questions.ts'

/** Of a long text its first chunks stand for all of it. */
const mostChunks = 8
const mostNear = 20
const mostTopics = 20
const excerptCharacters = 200

/** A node that an edge could lead to. */
export interface Candidate {
  readonly id: string
  readonly name: string
  readonly kind: string
  /** A few words of what is near; '' where only its name is. */
  readonly excerpt: string
}

/** What candidates are looked for. */
export interface Sought {
  readonly nodeId: string
  readonly text: string
  readonly settings: CollectionSettings
}

/** The nodes of the collection that are nearest in meaning, and the topics that the text names. */
export async function findCandidates(
  { gateway, collections, embeddings }: Pick<Services, 'gateway' | 'collections' | 'embeddings'>,
  context: HandlerContext<unknown>,
  { nodeId, text, settings }: Sought,
): Promise<Candidate[]> {
  const { collectionNodeId } = context.job
  const model = settings.models.embedding
  const near = new Map<string, { similarity: number; text: string }>()
  for (const vector of await readOrEmbed({ gateway, embeddings }, context, { nodeId, text, settings })) {
    for (const hit of await embeddings.search(collectionNodeId, { vector, model, limit: mostNear, exceptNodeId: nodeId })) {
      if (hit.similarity > (near.get(hit.nodeId)?.similarity ?? -1)) near.set(hit.nodeId, hit)
    }
  }
  context.signal.throwIfAborted()
  const nearest = [...near].toSorted(([, a], [, b]) => b.similarity - a.similarity).slice(0, mostNear)
  const topics = (await collections.listTopics(collectionNodeId))
    .filter(({ id, title }) => id !== nodeId && quoteOccurs(title, text))
    .slice(0, mostTopics)
  const ids = new Set([...topics.map(({ id }) => id), ...nearest.map(([id]) => id)])
  const nodes = await collections.listNodes(collectionNodeId, [...ids])
  return nodes
    .filter(({ id }) => id !== collectionNodeId)
    .map(({ id, kind, title, content }) => {
      const excerpt = (near.get(id)?.text ?? content ?? '').slice(0, excerptCharacters)
      return { id, kind, name: title?.trim() || excerpt.slice(0, 80), excerpt }
    })
}

/** Vectors that `generate_embeddings` has made of the same text are not paid for again. Those that are made here are not stored: that is its work. */
async function readOrEmbed(
  { gateway, embeddings }: Pick<Services, 'gateway' | 'embeddings'>,
  context: HandlerContext<unknown>,
  { nodeId, text, settings }: Sought,
): Promise<Float32Array[]> {
  const model = settings.models.embedding
  const stored = await embeddings.readVectors(context.job.collectionNodeId, { nodeId, model, limit: mostChunks })
  context.signal.throwIfAborted()
  if (stored.length > 0) return stored.map(({ vector }) => vector)
  const chunks = chunkNode({ title: null, content: text }, settings.embeddings.chunkTokens).slice(0, mostChunks)
  const texts = chunks.map((chunk) => chunk.text)
  return await gateway.embed(context, settings, { name: 'candidates', texts, promptVersion: PROMPT_VERSION })
}
