import { createReplyCheck, quoteOccurs, quoteStandsAt, type ReplyCheck, type Segment, saidNames } from '@sidelinja/jobs-kit'
import { dueDate } from './due-date.ts'
import { foldDoubles } from './fold-doubles.ts'
import type { Evidence, Minutes } from './job.ts'
import type { KnownPeople } from './known-people.ts'
import type { MinutesReply } from './questions.ts'

/** What a reply is checked against. */
export interface Meeting {
  /** The model numbers them from 1. */
  readonly segments: readonly Segment[]
  readonly people: KnownPeople
  /** Null: it is not known. */
  readonly date: string | null
}

type Said = MinutesReply['decisions'][number]['evidence'][number]
type ActionReply = MinutesReply['action_points'][number]
type ActionPoint = Minutes['actionPoints'][number]

/**
 * Takes nothing on trust: what no segment bears out, word for word, is left out and counted; an owner must be known, and a due date is computed from the words that were said and the
 * day of the meeting, whatever the model computed. Links that nobody said lose their address.
 */
export function checkMinutes(reply: MinutesReply, meeting: Meeting): { minutes: Minutes; dropped: Readonly<Record<string, number>> } {
  const texts = meeting.segments.map(({ text }) => text)
  const whole = texts.join(' ')
  const check = createReplyCheck(whole)
  const isSaid = saidNames(whole)

  const evidenceOf = (evidence: readonly Said[]): Evidence[] =>
    check.keep('evidence', evidence, ({ segment, quote }) => {
      const startMs = meeting.segments[segment - 1]?.startMs
      const said = quoteStandsAt(quote, texts, segment - 1) ? check.told(quote) : undefined
      return startMs === undefined || said === undefined ? undefined : { segment, startMs, quote: said }
    })
  const points = (kind: string, given: readonly { text: string; evidence: readonly Said[] }[]) =>
    foldDoubles(
      check.keep(kind, given, (point) => {
        const [text, evidence] = [check.told(point.text), evidenceOf(point.evidence)]
        return text === undefined || evidence.length === 0 ? undefined : { text, evidence }
      }),
    )
  const actionPoints = check.keep('action_points', reply.action_points, (point): ActionPoint | undefined => {
    const [text, evidence] = [check.told(point.text), evidenceOf(point.evidence)]
    if (text === undefined || evidence.length === 0) return undefined
    return { text, owner: ownerOf(point, meeting, check), ...dueOf(point, { meeting, evidence, texts, check }), evidence }
  })
  return {
    minutes: {
      ...{ summary: check.plain(reply.summary), meetingDate: meeting.date },
      ...{ decisions: points('decisions', reply.decisions), actionPoints: foldDoubles(actionPoints) },
      openQuestions: points('open_questions', reply.open_questions),
      attendees: [
        ...new Set(
          check.keep(
            'attendees',
            reply.attendees_mentioned,
            (name) => meeting.people.find(name) ?? (isSaid(name) ? check.told(name) : undefined),
          ),
        ),
      ],
    },
    dropped: check.dropped,
  }
}

function ownerOf({ owner_ref, owner_name }: ActionReply, { people }: Meeting, { drop }: ReplyCheck): string | null {
  const owner = people.candidates.resolve(owner_ref) ?? (owner_name === null ? undefined : people.find(owner_name))
  if (owner === undefined && (owner_ref !== null || owner_name !== null)) drop('owners')
  return owner ?? null
}

interface DueSource {
  readonly meeting: Meeting
  readonly evidence: readonly Evidence[]
  readonly texts: readonly string[]
  readonly check: ReplyCheck
}

/** The words must stand where the action point is said. */
function dueOf(point: ActionReply, { meeting, evidence, texts, check }: DueSource): Pick<ActionPoint, 'dueDate' | 'dueText'> {
  const { due_text, due_date } = point
  const isSaid =
    due_text !== null && evidence.some(({ segment }) => quoteOccurs(due_text, texts.slice(Math.max(0, segment - 2), segment + 1).join(' ')))
  const dueText = isSaid ? (check.told(due_text) ?? null) : null
  const computed = dueText === null || meeting.date === null ? null : dueDate(dueText, meeting.date)
  if (due_text !== null && dueText === null) check.drop('due_texts')
  if (due_date !== null && due_date !== computed) check.drop('due_dates')
  return { dueDate: computed, dueText }
}
