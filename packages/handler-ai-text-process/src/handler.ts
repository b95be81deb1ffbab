import { PermanentError } from '@sidelinja/jobs-core'
import { defineHandler, type RunningJob, type WriteTransaction } from '@sidelinja/jobs-core/worker'
import { type Collections, isBlank, isUnlike, type Services } from '@sidelinja/jobs-kit'
import { replaceContent } from '@sidelinja/jobs-kit/storage'
import { aiTextProcess, type Payload, type Result } from './job.ts'
import { processText } from './process-text.ts'

const mostCharacters = 60_000

/**
 * Cleans, sums up or rewrites a text, or lists its facts, for somebody who waits. The text comes with the job or is a node's content, and what is made of it goes into the
 * result or, when that is asked for, in place of the content. Numbers, names and language are compared with the source. Permanent: a node that is not the collection's
 * or holds too much, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, collections }: Pick<Services, 'gateway' | 'collections'>) =>
  defineHandler(
    aiTextProcess,
    async (context) => {
      const { payload, job, signal } = context
      const { mode } = payload
      const settings = await collections.readSettings(job.collectionNodeId)
      const text = await readText(collections, job, payload)
      signal.throwIfAborted()
      if (text.trim() === '') return { result: { ...nothing, note: 'no text' } satisfies Result }

      const made = await processText(gateway, context, { mode, text, settings })
      const result: Result = { ...nothing, ...made }
      const { nodeId, replace } = payload
      if (!replace || nodeId === undefined) return { result }
      return { result, write: async (trx) => ({ result: await replaceNode(trx, job, { nodeId, before: text, result }) }) }
    },
    { services: ['gateway'] },
  )

const nothing: Result = { text: '', note: null, node: null, parts: 0, uncertain: [], dropped: 0, cut: 0 }

async function readText(collections: Collections, { collectionNodeId }: RunningJob, { text, nodeId }: Payload): Promise<string> {
  if (text !== undefined || nodeId === undefined) return text ?? ''
  const content = (await collections.readNode(collectionNodeId, nodeId)).content ?? ''
  if (content.length <= mostCharacters) return content
  throw new PermanentError(
    'TEXT_TOO_LONG',
    `Expected the content of node ${nodeId} to have at most ${mostCharacters} characters, got ${content.length}. Enqueue its parts as text.`,
  )
}

interface Replacing {
  readonly nodeId: string
  /** The content that was worked on. */
  readonly before: string
  readonly result: Result
}

/** What does not get into the node stays in the result: it is paid for, and somebody may want it. */
async function replaceNode(trx: WriteTransaction, job: RunningJob, { nodeId, before, result }: Replacing): Promise<Result> {
  const after = result.text ?? ''
  if (isBlank(after) || isUnlike(result.uncertain)) return { ...result, node: 'unlike' }
  const replaced = await replaceContent(trx, job.collectionNodeId, nodeId, { before, after })
  return replaced ? { ...result, text: null, node: 'replaced' } : { ...result, node: 'changed_meanwhile' }
}
