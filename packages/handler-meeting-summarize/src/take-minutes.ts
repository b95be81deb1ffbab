import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askAndMerge,
  type CollectionSettings,
  collectCuts,
  compareLanguages,
  type Gateway,
  halvePart,
  type JsonObject,
  languageOfSegments,
  languageRule,
  listChanges,
  type Segment,
  splitSegments,
  type TextChange,
} from '@sidelinja/jobs-kit'
import type { z } from 'zod'
import { checkMinutes } from './check-minutes.ts'
import type { Minutes, Result } from './job.ts'
import { knownPeople } from './known-people.ts'
import { MERGE, MINUTES, type MinutesReply, minutesReply, PROMPT_VERSION, summaryReply } from './questions.ts'

/** Leaves room for instructions, people and reply in a window of 16,000 tokens. */
const budgetTokens = 6_000
const maxTokens = 6_000

/** What there is to take minutes of. */
export interface Material {
  readonly segments: readonly Segment[]
  readonly attendees: readonly string[]
  readonly date: string | null
  readonly settings: CollectionSettings
}

/** Asks about the meeting, in parts where it is long; only summaries are put together by another question, all else is kept. Checks the end of it against the transcript. */
export async function takeMinutes(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { segments, attendees, date, settings }: Material,
): Promise<{ minutes: Minutes; language: string; told: Pick<Result, 'parts' | 'dropped' | 'uncertain' | 'folded' | 'cut'> }> {
  const language = languageOfSegments(segments, settings)
  const people = knownPeople(segments, attendees, settings.names)
  const { cut, onCut } = collectCuts()
  const ask = <Reply extends z.ZodType>(name: string, instructions: string, data: JsonObject, reply: Reply) =>
    gateway.ask(context, settings, {
      ...{ name, model: 'reasoning', promptVersion: PROMPT_VERSION, maxTokens, onCut, data, reply },
      instructions: `${instructions}\n${languageRule(language)}`,
    })

  const languages: TextChange[] = []
  const { reply, parts } = await askAndMerge(context, {
    ...{ parts: splitSegments(segments, { budgetTokens }), halve: halvePart, budgetTokens },
    ask: async (part, name): Promise<MinutesReply> => {
      const data = { meeting_date: date, people: people.candidates.list, segments: part.segments }
      const taken = await ask(`minutes-${name}`, MINUTES, data, minutesReply)
      languages.push(...compareLanguages(part.segments.map(({ text }) => text).join('\n'), textOf(taken)))
      return taken
    },
    sizeOf: ({ summary }) => summary,
    merge: async (replies, name) => {
      const { summary } = await ask(name, MERGE, { summaries: replies.map((each) => each.summary) }, summaryReply)
      return {
        summary,
        decisions: replies.flatMap((each) => each.decisions),
        action_points: replies.flatMap((each) => each.action_points),
        open_questions: replies.flatMap((each) => each.open_questions),
        attendees_mentioned: replies.flatMap((each) => each.attendees_mentioned),
      }
    },
  })
  const { minutes, dropped, folded } = checkMinutes(reply, { segments, people, date })
  const said = segments.map(({ text }) => text).join('\n')
  const uncertain = listChanges([...languages, ...compareLanguages(said, minutes.summary)]).map(({ text }) => ({
    kind: 'language' as const,
    text,
  }))
  return { minutes: { ...minutes, uncertain }, language, told: { parts, dropped, uncertain: uncertain.length, folded, cut } }
}

/** What the model wrote itself: no quotes. */
function textOf({ summary, decisions, action_points, open_questions }: MinutesReply): string {
  return [summary, ...[...decisions, ...action_points, ...open_questions].map(({ text }) => text)].join('\n')
}
