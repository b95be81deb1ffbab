import { defineHandler, type RunningJob } from '@sidelinja/jobs-core/worker'
import type { Services } from '@sidelinja/jobs-kit'
import { derivedNodeId, ownNodeId, storeDerivedNode } from '@sidelinja/jobs-kit/storage'
import { cleanDictation } from './clean-dictation.ts'
import { dictationCleanup, type Payload, type Result } from './job.ts'
import { PROMPT_VERSION } from './questions.ts'

/**
 * Makes a structured note of what somebody dictated and waits for. Numbers, names, length and language are compared with the dictation, and what differs is told; nobody is given access that has none to
 * the dictation. Another job about the same recording replaces the note, unless somebody has edited it. Permanent: a node that is not the collection's (any more) or was never transcribed, a spent budget,
 * and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, collections, transcripts }: Pick<Services, 'gateway' | 'collections' | 'transcripts'>) =>
  defineHandler(
    dictationCleanup,
    async (context) => {
      const { payload, job, signal } = context
      const { collectionNodeId } = job
      const { mediaNodeId = null } = payload
      const settings = await collections.readSettings(collectionNodeId)
      signal.throwIfAborted()
      const text = await readText({ collections, transcripts }, job, payload)
      signal.throwIfAborted()
      if (text.trim() === '') return { result: { ...nothing, note: 'no speech' } satisfies Result }

      const { title, content, about, told } = await cleanDictation(gateway, context, { text, settings })
      const id = mediaNodeId === null ? ownNodeId(job.id) : derivedNodeId(collectionNodeId, { kind: 'note', of: mediaNodeId })
      const by = { of: mediaNodeId, jobId: job.id, model: settings.models.routine, promptVersion: PROMPT_VERSION }
      const node = { id, kind: 'note', title, content, key: 'dictation', about: { ...about, ...by } }
      const made =
        mediaNodeId === null ? { node, ownedBy: 'contains' } : { node, ownedBy: 'has_note', of: { nodeId: mediaNodeId, edge: 'dictation' } }
      return {
        write: async (trx) => {
          const stored = await storeDerivedNode(trx, collectionNodeId, made)
          return { result: { ...nothing, ...told, nodeId: id, stored } satisfies Result }
        },
      }
    },
    { services: ['gateway'] },
  )

const nothing: Result = {
  ...{ nodeId: null, note: null, stored: null, actionPoints: 0, uncertain: 0, unlike: false },
  ...{ parts: 0, dropped: {}, cut: {} },
}

async function readText(
  { collections, transcripts }: Pick<Services, 'collections' | 'transcripts'>,
  { collectionNodeId }: RunningJob,
  { mediaNodeId, text }: Payload,
): Promise<string> {
  if (mediaNodeId === undefined) return text ?? ''
  await collections.readNode(collectionNodeId, mediaNodeId)
  await transcripts.checkTranscribed(collectionNodeId, mediaNodeId)
  const segments = await transcripts.read(collectionNodeId, mediaNodeId)
  return segments.map((segment) => segment.text).join('\n')
}
