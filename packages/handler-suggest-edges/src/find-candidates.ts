import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import { type CollectionSettings, type HashedChunk, quoteOccurs, type Services } from '@sidelinja/jobs-kit'
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
  /** The text as `generate_embeddings` parts it. */
  readonly chunks: readonly HashedChunk[]
  readonly settings: CollectionSettings
}

/** The nodes of the collection that are nearest in meaning, and the topics that the text names. */
export async function findCandidates(
  { gateway, collections, embeddings }: Pick<Services, 'gateway' | 'collections' | 'embeddings'>,
  context: HandlerContext<unknown>,
  { nodeId, text, chunks, settings }: Sought,
): Promise<Candidate[]> {
  const { collectionNodeId } = context.job
  const model = settings.models.embedding
  const near = new Map<string, { similarity: number; text: string }>()
  for (const vector of await readOrEmbed({ gateway, embeddings }, context, { nodeId, chunks, settings })) {
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
  return (
    nodes
      // An edge to another collection would say who may read the node.
      .filter(({ id, kind }) => id !== collectionNodeId && kind !== 'collection')
      .map(({ id, kind, title, content }) => {
        const excerpt = (near.get(id)?.text ?? content ?? '').slice(0, excerptCharacters)
        return { id, kind, name: title?.trim() || excerpt.slice(0, 80), excerpt }
      })
  )
}

/** Vectors that `generate_embeddings` has made of the same texts are not paid for again; those of what the node said before are not used. Those that are made here are not stored: that is its work. */
async function readOrEmbed(
  { gateway, embeddings }: Pick<Services, 'gateway' | 'embeddings'>,
  context: HandlerContext<unknown>,
  { nodeId, chunks, settings }: Pick<Sought, 'nodeId' | 'chunks' | 'settings'>,
): Promise<Float32Array[]> {
  const model = settings.models.embedding
  const first = chunks.slice(0, mostChunks)
  // What was written above may have moved them down.
  const stored = await embeddings.readVectors(context.job.collectionNodeId, { nodeId, model, limit: 4 * mostChunks })
  context.signal.throwIfAborted()
  const byHash = new Map(stored.map(({ hash, vector }) => [hash, vector]))
  const texts = first.filter(({ hash }) => !byHash.has(hash)).map(({ text }) => text)
  const made = await gateway.embed(context, settings, { name: 'candidates', texts, promptVersion: PROMPT_VERSION })
  return [...first.flatMap(({ hash }) => byHash.get(hash) ?? []), ...made]
}
