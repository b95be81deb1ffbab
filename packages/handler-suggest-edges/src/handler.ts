import { defineHandler, type HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askInParts,
  type CollectionSettings,
  chunkNode,
  estimateTokens,
  type HashedChunk,
  languageRule,
  norwegianForm,
  numberCandidates,
  type Services,
  splitText,
} from '@sidelinja/jobs-kit'
import { upsertEdgeSuggestions, upsertTopicSuggestions } from '@sidelinja/jobs-kit/storage'
import { checkReplies } from './check-reply.ts'
import { type Candidate, findCandidates } from './find-candidates.ts'
import { type Payload, type Result, suggestEdges } from './job.ts'
import { type EdgesReply, edgesReply, INSTRUCTIONS, PROMPT_VERSION } from './questions.ts'

/** Leaves room for instructions, candidates and reply in a window of 16,000 tokens. */
const budgetTokens = 6_000
const mostParts = 12
type Needed = Pick<Services, 'gateway' | 'collections' | 'transcripts' | 'embeddings'>

/**
 * Suggests edges from a node to others of its collection, and topics that it lacks, each with the words that bear it out; somebody accepts or rejects them. Enqueued by the database when a content node
 * with enough text appears or changes; nobody waits. Permanent: a node that is not the collection's, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, collections, transcripts, embeddings }: Needed) =>
  defineHandler(
    suggestEdges,
    async (context) => {
      const { payload, job, signal } = context
      const settings = await collections.readSettings(job.collectionNodeId)
      if (!settings.suggestEdges.enabled) return { result: { ...nothing, note: 'switched off' } satisfies Result }
      const { text, chunks } = await readText({ collections, transcripts }, context, settings)
      signal.throwIfAborted()
      if (text.length < settings.suggestEdges.minCharacters) return { result: { ...nothing, note: 'short text' } satisfies Result }

      const found = await findCandidates({ gateway, collections, embeddings }, context, { nodeId: payload.nodeId, text, chunks, settings })
      const topics = await collections.listTopics(job.collectionNodeId)
      signal.throwIfAborted()
      const parts = splitText(text, budgetTokens)
      const read = parts.slice(0, mostParts)
      const candidates = numberCandidates(found, ({ name, kind, excerpt }) => ({ name, kind, excerpt }))
      const replies = await askAbout({ gateway }, context, { parts: read, list: candidates.list, settings })
      const known = [...found.map(({ name }) => name), ...topics.map(({ title }) => title)]
      const { edges, newTopics, dropped } = checkReplies(replies, { text: read.join(''), candidates, known })
      const result: Result = {
        ...{ note: null, candidates: found.length, suggested: edges.length, added: 0, newTopics: [...newTopics], dropped },
        unread: parts.slice(mostParts).join('').length,
      }
      const from = { nodeId: payload.nodeId, jobId: job.id, model: settings.models.routine }
      return {
        result,
        write: async (trx) => {
          // In the order in which an accepted topic locks them.
          const waiting = await upsertTopicSuggestions(trx, job.collectionNodeId, { ...from, topics: newTopics })
          const added = await upsertEdgeSuggestions(trx, job.collectionNodeId, { ...from, suggestions: edges })
          return { result: { ...result, added, newTopics: newTopics.filter(({ name }) => waiting.includes(name)) } }
        },
      }
    },
    { services: ['gateway'] },
  )

const nothing: Result = { note: null, candidates: 0, suggested: 0, added: 0, newTopics: [], dropped: 0, unread: 0 }

/** What is written in the node; of a recording without notes what is said. */
async function readText(
  { collections, transcripts }: Pick<Needed, 'collections' | 'transcripts'>,
  { payload: { nodeId }, job: { collectionNodeId } }: HandlerContext<Payload>,
  { embeddings: { chunkTokens } }: CollectionSettings,
): Promise<{ text: string; chunks: readonly HashedChunk[] }> {
  const { title, content } = await collections.readNode(collectionNodeId, nodeId)
  const segments = content?.trim() ? [] : await transcripts.read(collectionNodeId, nodeId)
  const written = content?.trim() || segments.map(({ text }) => text.trim()).join(' ')
  if (written === '') return { text: '', chunks: [] }
  const text = [title?.trim(), written].filter((part) => part).join('\n\n')
  return { text, chunks: chunkNode({ title, content, segments }, chunkTokens) }
}

interface About {
  readonly parts: readonly string[]
  readonly list: ReturnType<typeof numberCandidates<Candidate>>['list']
  readonly settings: CollectionSettings
}

async function askAbout(
  { gateway }: Pick<Needed, 'gateway'>,
  context: HandlerContext<unknown>,
  { parts, list, settings }: About,
): Promise<EdgesReply[]> {
  const rule = languageRule(norwegianForm(parts.join('')))
  const answers = await askInParts({
    parts,
    halve: (part) => splitText(part, Math.ceil(estimateTokens(part) / 2)),
    ask: (part, name) =>
      gateway.ask(context, settings, {
        ...{ name: `edges-${name}`, model: 'routine', promptVersion: PROMPT_VERSION, reply: edgesReply },
        ...{ instructions: `${INSTRUCTIONS}\n${rule}`, data: { text: part, candidates: [...list] } },
      }),
  })
  return answers.map(({ reply }) => reply)
}
