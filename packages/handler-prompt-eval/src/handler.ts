import { defineHandler } from '@sidelinja/jobs-core/worker'
import {
  askAndMerge,
  collectCuts,
  halvePart,
  type JsonObject,
  languageRule,
  norwegianForm,
  type Services,
  splitSegments,
} from '@sidelinja/jobs-kit'
import { checkPoints } from './check-points.ts'
import { promptEval, type Result } from './job.ts'
import { FIND_POINTS, MERGE_POINTS, PROMPT_VERSION, pointsReply } from './questions.ts'

/** Leaves room for instructions and reply in a window of 16,000 tokens. */
const budgetTokens = 8_000

/**
 * Reads a transcript and finds its most important points; writes nothing but its result. Enqueued by whoever wants to read them, but does not
 * wait: priority 5. Every quote is checked against the transcript; what is not borne out is left out and counted. Permanent: a media node
 * that does not exist or was never transcribed, a spent budget, and what the model refuses or twice answers wrong.
 */
export const createHandler = ({ gateway, transcripts, collections }: Pick<Services, 'gateway' | 'transcripts' | 'collections'>) =>
  defineHandler(
    promptEval,
    async (context) => {
      const { collectionNodeId } = context.job
      const { mediaNodeId } = context.payload
      const settings = await collections.readSettings(collectionNodeId)
      await transcripts.checkMediaNode(mediaNodeId)
      await transcripts.checkTranscribed(collectionNodeId, mediaNodeId)
      const segments = await transcripts.read(collectionNodeId, mediaNodeId)
      // Nobody speaks: there is nothing to ask about.
      if (segments.length === 0) return { result: { points: [], parts: 0, dropped: 0, cut: {} } satisfies Result }

      const language = norwegianForm(segments.map(({ text }) => text).join(' ')) ?? segments[0]?.language ?? settings.language
      const { cut, onCut } = collectCuts()
      const question = { model: 'reasoning', reply: pointsReply, promptVersion: PROMPT_VERSION, onCut } as const
      const ask = (name: string, instructions: string, data: JsonObject) =>
        gateway.ask(context, settings, { ...question, name, instructions: `${instructions}\n${languageRule(language)}`, data })

      // Each call is a durable step, known by its name: another attempt does not pay for it again.
      const { reply, parts } = await askAndMerge(context, {
        ...{ parts: splitSegments(segments, { budgetTokens }), halve: halvePart, budgetTokens },
        ask: (part, name) => ask(`points-${name}`, FIND_POINTS, { segments: part.segments }),
        merge: (replies, name) => ask(name, MERGE_POINTS, { points: replies.flatMap(({ points }) => points) }),
      })
      return { result: { ...checkPoints(reply.points, segments), parts, cut } satisfies Result }
    },
    { services: ['gateway'] },
  )
