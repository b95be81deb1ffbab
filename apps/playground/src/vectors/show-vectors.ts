import { createEmbeddingClient } from '@sidelinja/jobs-kit'
import {
  listEdgeSuggestions,
  listTopicSuggestions,
  readEmbeddingMode,
  type StorageDatabase,
  searchEmbeddings,
} from '@sidelinja/jobs-kit/storage'
import { COLLECTION_ID } from '../collection.ts'

const MODEL = 'sidelinja/embed'
/** None of their words stands in what is found first. */
const QUERIES = ['how much will education cost?', 'when is the next episode?']
const COLUMNS = 72

/** The edges and topics that are suggested, and what is found by its meaning. */
export async function showVectors(db: StorageDatabase, gatewayUrl: URL, signal: AbortSignal): Promise<string> {
  const edges = (await listEdgeSuggestions(db, COLLECTION_ID, { limit: 5 })).map(
    ({ relation, targetTitle, evidence }) => `  ${relation} ${targetTitle ?? 'a node'}: “${shorten(evidence)}”`,
  )
  const topics = (await listTopicSuggestions(db, COLLECTION_ID, { limit: 3 })).map(
    ({ name, nodes: [first] }) => `  ${name}: “${shorten(first?.evidence ?? '')}”`,
  )
  const { mode } = await readEmbeddingMode(db)
  const client = createEmbeddingClient({ url: gatewayUrl })
  const found: string[] = []
  for (const query of QUERIES) {
    const vector = await client.embed(MODEL, query, signal)
    const hits = await searchEmbeddings(db, COLLECTION_ID, { vector, model: MODEL, limit: 2 })
    const lines = hits.map(
      ({ similarity, startMs, text }) =>
        `  ${similarity.toFixed(2)}${startMs === null ? '' : `  ${(startMs / 1_000).toFixed(0)} s`}  ${shorten(text)}`,
    )
    found.push(`\nSearched by meaning (${mode === 'array' ? 'comparing each text' : 'pgvector'}): ${query}\n`, ...lines)
  }
  const waiting = [
    ...(edges.length > 0 ? ['\nSuggested edges, which wait for somebody\n', ...edges] : []),
    ...(topics.length > 0 ? ['\nSuggested topics, which wait for somebody\n', ...topics] : []),
  ]
  return [...waiting, ...found].join('\n')
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= COLUMNS ? line : `${line.slice(0, COLUMNS - 1)}…`
}
