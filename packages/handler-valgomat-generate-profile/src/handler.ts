import { defineHandler } from '@sidelinja/jobs-core/worker'
import { norwegianForm, type Services } from '@sidelinja/jobs-kit'
import { upsertProfileDraft } from '@sidelinja/jobs-kit/storage'
import { generateProfile } from './generate-profile.ts'
import { type Profile, type Result, valgomatGenerateProfile } from './job.ts'
import { labelOf } from './label.ts'
import { PROMPT_VERSION } from './questions.ts'
import { readPages } from './read-programme.ts'

/**
 * Makes the draft of a party's synthetic profile: where its programme stands on each statement, with quotes and their pages, or null. Enqueued by an editor, who then publishes or rejects the draft; the job
 * publishes nothing. Permanent: a programme or statement that is not the collection's, too much of either, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, collections }: Pick<Services, 'gateway' | 'collections'>) =>
  defineHandler(
    valgomatGenerateProfile,
    async (context) => {
      const { payload, job, signal } = context
      const { collectionNodeId } = job
      const { party, programmeNodeId, statementNodeIds } = payload
      const settings = await collections.readSettings(collectionNodeId)
      signal.throwIfAborted()
      const content = (await collections.readNode(collectionNodeId, programmeNodeId)).content ?? ''
      const pages = readPages(programmeNodeId, content)
      signal.throwIfAborted()
      const statements = await collections.listStatements(collectionNodeId, statementNodeIds)
      signal.throwIfAborted()
      const counted = { ...nothing, statements: statements.length, pages: pages.length }
      if (statements.length === 0) return { result: { ...counted, note: 'no statements' } satisfies Result }
      if (content.trim() === '') return { result: { ...counted, note: 'no text' } satisfies Result }

      const language = norwegianForm(content)
      const { stances, told } = await generateProfile(gateway, context, { pages, statements, language, settings })
      const profile: Profile = { label: labelOf(language ?? settings.language), party, stances }
      const by = { jobId: job.id, language, model: settings.models.reasoning, promptVersion: PROMPT_VERSION }
      return {
        write: async (trx) => {
          const { id, stored } = await upsertProfileDraft(trx, collectionNodeId, { programmeNodeId, party, content: profile, ...by })
          return { result: { ...counted, ...told, profileId: id, profile: stored } satisfies Result }
        },
      }
    },
    { services: ['gateway'] },
  )

const nothing: Result = {
  ...{ profileId: null, note: null, profile: null, statements: 0, stances: 0, undecided: 0 },
  ...{ pages: 0, parts: 0, dropped: {}, cut: {} },
}
