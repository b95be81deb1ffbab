import { defineHandler } from '@sidelinja/jobs-core/worker'
import { chooseFollowUps, enqueueFollowUps, type Services } from '@sidelinja/jobs-kit'
import { upsertAnalysis } from '@sidelinja/jobs-kit/storage'
import { analyseTranscript } from './analyse-transcript.ts'
import { openrouterAnalyze, type Result } from './job.ts'
import { PROMPT_VERSION } from './questions.ts'

/**
 * Reads a transcript and stores title, description, chapters, topics, people and quotes, in place of the analysis before. Enqueued as the follow-up of a transcription, or
 * by who wants a new analysis. Everything that the model names is checked against the transcript; what is not borne out is left out and counted. Permanent: a media node that does
 * not exist or was never transcribed, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, transcripts, collections }: Pick<Services, 'gateway' | 'transcripts' | 'collections'>) =>
  defineHandler(
    openrouterAnalyze,
    async (context) => {
      const { payload, job } = context
      const { mediaNodeId, audioPath } = payload
      const settings = await collections.readSettings(job.collectionNodeId)
      const followUps = chooseFollowUps(job, payload.followUps, settings)
      await transcripts.checkMediaNode(mediaNodeId)
      await transcripts.checkTranscribed(job.collectionNodeId, mediaNodeId)
      const segments = await transcripts.read(job.collectionNodeId, mediaNodeId)
      const topics = await collections.listTopics(job.collectionNodeId)

      const result: Result =
        segments.length === 0
          ? { analysis: null, note: 'no speech', segments: 0, parts: 0, dropped: {}, cut: {} }
          : await analyseTranscript(gateway, context, { segments, topics, settings })
      const { analysis } = result
      return {
        result,
        write: async (trx) => {
          if (analysis) {
            const by = { jobId: job.id, language: analysis.language, model: settings.models.reasoning, promptVersion: PROMPT_VERSION }
            await upsertAnalysis(trx, job.collectionNodeId, mediaNodeId, { content: analysis, ...by })
          }
          await enqueueFollowUps(trx, job, followUps, { mediaNodeId, audioPath })
        },
      }
    },
    { services: ['gateway'] },
  )
