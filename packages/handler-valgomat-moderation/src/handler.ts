import { PermanentError } from '@sidelinja/jobs-core'
import { defineHandler } from '@sidelinja/jobs-core/worker'
import type { Collections, Services } from '@sidelinja/jobs-kit'
import { upsertModerations } from '@sidelinja/jobs-kit/storage'
import { type Payload, type Result, valgomatModeration } from './job.ts'
import { moderate } from './moderate.ts'
import { PROMPT_VERSION } from './questions.ts'
import type { Item } from './word-questions.ts'

const mostCharacters = 1_000

/**
 * Groups users' questions for a voting advice application by what they ask, and suggests a neutral wording for each; a person accepts or rejects. Enqueued with a batch of new questions, by whoever takes them in. The questions
 * themselves are never changed. Permanent: a question that is not the collection's, is empty or too long, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, collections }: Pick<Services, 'gateway' | 'collections'>) =>
  defineHandler(
    valgomatModeration,
    async (context) => {
      const { payload, job, signal } = context
      const settings = await collections.readSettings(job.collectionNodeId)
      const questions = await readQuestions(collections, job.collectionNodeId, payload)
      const known = await collections.listStatements(job.collectionNodeId)
      signal.throwIfAborted()
      const statements = known.filter(({ id }) => !questions.some((question) => question.id === id))
      const { questions: suggested, moved, undecided } = await moderate(gateway, context, { questions, statements, settings })
      const result: Result = {
        ...{ questions: suggested.length, clusters: new Set(suggested.map(({ clusterOf }) => clusterOf)).size },
        ...{ duplicates: suggested.filter(({ duplicateOf }) => duplicateOf !== null).length, moved, undecided, stored: 0 },
        reworded: suggested.filter(({ neutralText }) => neutralText !== null).length,
        rejected: suggested.filter(({ verdict }) => verdict === 'reject').length,
      }
      const moderations = { jobId: job.id, model: settings.models.reasoning, promptVersion: PROMPT_VERSION, questions: suggested }
      return {
        result,
        write: async (trx) => ({ result: { ...result, stored: await upsertModerations(trx, job.collectionNodeId, moderations) } }),
      }
    },
    { services: ['gateway'] },
  )

async function readQuestions(collections: Collections, collectionNodeId: string, { questionNodeIds }: Payload): Promise<Item[]> {
  const ids = [...new Set(questionNodeIds.map((id) => id.toLowerCase()))]
  const nodes = await collections.listNodes(collectionNodeId, ids)
  const missing = ids.find((id) => !nodes.some((node) => node.id === id))
  if (missing !== undefined) {
    throw new PermanentError(
      'NODE_NOT_IN_COLLECTION',
      `Expected each question to be a node of collection ${collectionNodeId}, got ${missing}, which does not exist (any more) or is not tied to it by an edge.`,
    )
  }
  return nodes.map(({ id, title, content }) => {
    const text = content?.trim() || title?.trim() || ''
    if (text !== '' && text.length <= mostCharacters) return { id, text }
    throw new PermanentError(
      'QUESTION_UNFIT',
      `Expected question ${id} to have 1 to ${mostCharacters} characters, got ${text.length}. Leave it out, or shorten it; then enqueue the job anew.`,
    )
  })
}
