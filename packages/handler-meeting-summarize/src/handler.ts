import { defineHandler } from '@sidelinja/jobs-core/worker'
import { chooseFollowUps, enqueueFollowUps, type Services } from '@sidelinja/jobs-kit'
import { upsertMinutes } from '@sidelinja/jobs-kit/storage'
import { meetingSummarize, type Result } from './job.ts'
import { PROMPT_VERSION } from './questions.ts'
import { readMeeting } from './read-meeting.ts'
import { takeMinutes } from './take-minutes.ts'

/**
 * Reads the transcript of a meeting and stores its minutes: decisions, action points and open questions, each with the words that bear it out. Enqueued as the follow-up of a transcription, or
 * by who wants them anew. Owners are known people, due dates are computed. Minutes that somebody has edited stay, and the new ones stand beside them. Permanent: a
 * node that is not the collection's or was never transcribed, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, transcripts, collections }: Pick<Services, 'gateway' | 'transcripts' | 'collections'>) =>
  defineHandler(
    meetingSummarize,
    async (context) => {
      const { payload, job, log } = context
      const { collectionNodeId } = job
      const { mediaNodeId, audioPath } = payload
      const settings = await collections.readSettings(collectionNodeId)
      const followUps = chooseFollowUps(job, payload.followUps, settings)
      const { metadata } = await collections.readNode(collectionNodeId, mediaNodeId)
      await transcripts.checkTranscribed(collectionNodeId, mediaNodeId)
      const segments = await transcripts.read(collectionNodeId, mediaNodeId)
      const meeting = readMeeting(payload, metadata, log)

      const taken = segments.length === 0 ? undefined : await takeMinutes(gateway, context, { segments, settings, ...meeting })
      return {
        write: async (trx) => {
          const by = taken && { language: taken.language, model: settings.models.reasoning, promptVersion: PROMPT_VERSION }
          const minutes = by
            ? await upsertMinutes(trx, collectionNodeId, mediaNodeId, { content: taken.minutes, jobId: job.id, ...by })
            : null
          await enqueueFollowUps(trx, job, followUps, { mediaNodeId, audioPath })
          return { result: resultOf(segments.length, minutes, taken) }
        },
      }
    },
    { services: ['gateway'] },
  )

function resultOf(segments: number, minutes: Result['minutes'], taken: Awaited<ReturnType<typeof takeMinutes>> | undefined): Result {
  const { decisions = [], actionPoints = [], openQuestions = [] } = taken?.minutes ?? {}
  return {
    ...{ note: taken ? null : 'no speech', minutes, segments },
    ...{ decisions: decisions.length, actionPoints: actionPoints.length, openQuestions: openQuestions.length },
    ...(taken?.told ?? { parts: 0, dropped: {}, uncertain: 0, folded: 0, cut: {} }),
  }
}
