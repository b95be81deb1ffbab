import { createReplyCheck, quoteOccurs, type ReplyCheck } from '@sidelinja/jobs-kit'
import { type BorneOut, evidenceFor, isAddedTo } from './check-evidence.ts'
import { isAllThatIsSaid } from './due-context.ts'
import { dueDate } from './due-date.ts'
import { foldDoubles } from './fold-doubles.ts'
import type { Evidence, Minutes } from './job.ts'
import type { Meeting } from './meeting.ts'
import type { MinutesReply } from './questions.ts'

/** Minutes that the transcript bears out. */
export interface CheckedMinutes {
  readonly minutes: Omit<Minutes, 'uncertain'>
  /** What was left out, by kind. */
  readonly dropped: Readonly<Record<string, number>>
  /** Points that said what another one says. */
  readonly folded: number
}

type ActionReply = MinutesReply['action_points'][number]
type ActionPoint = Minutes['actionPoints'][number]

/**
 * Takes nothing on trust: what no segment bears out, word for word, is left out and counted, and so is a point with a number, name or day that its quotes have not; an owner must be known and named
 * there, and a due date is computed from the words that were said and the day of the meeting, whatever the model computed. Links that nobody said lose their address.
 */
export function checkMinutes(reply: MinutesReply, meeting: Meeting): CheckedMinutes {
  const texts = meeting.segments.map(({ text }) => text)
  const check = createReplyCheck(texts.join(' '))
  const evidenceOf = evidenceFor(meeting.segments, check)

  const borneOut = (point: BorneOut): { text: string; evidence: Evidence[] } | undefined => {
    const [text, evidence] = [check.told(point.text), evidenceOf(point.evidence)]
    if (text === undefined || evidence.length === 0) return undefined
    return isAddedTo(text, { evidence, meeting, due: point.due_text }) ? undefined : { text, evidence }
  }
  const decisions = foldDoubles(check.keep('decisions', reply.decisions, borneOut))
  const openQuestions = foldDoubles(check.keep('open_questions', reply.open_questions, borneOut))
  const actionPoints = foldDoubles(
    check.keep('action_points', reply.action_points, (point): ActionPoint | undefined => {
      const kept = borneOut(point)
      if (kept === undefined) return undefined
      const { text, evidence } = kept
      return { text, owner: ownerOf(point, { meeting, evidence, check }), ...dueOf(point, { meeting, evidence, check }), evidence }
    }),
  )
  return {
    minutes: {
      ...{ summary: check.plain(reply.summary), meetingDate: meeting.date },
      ...{ decisions: decisions.points, actionPoints: actionPoints.points, openQuestions: openQuestions.points },
      attendees: [...new Set(check.keep('attendees', reply.attendees_mentioned, (name) => meeting.people.attendee(name)))],
    },
    dropped: check.dropped,
    folded: decisions.folded + actionPoints.folded + openQuestions.folded,
  }
}

interface PointSource {
  readonly meeting: Meeting
  readonly evidence: readonly Evidence[]
  readonly check: ReplyCheck
}

/** Who is named, or speaks, where it is said; nobody where ref and name mean different people. */
function ownerOf({ owner_ref, owner_name }: ActionReply, { meeting, evidence, check }: PointSource): string | null {
  const { people, segments } = meeting
  const byRef = people.candidates.resolve(owner_ref)
  const byName = owner_name === null ? undefined : people.find(owner_name)
  const isContrary =
    byRef !== undefined && owner_name !== null && byName !== byRef && (byName !== undefined || !people.isNamed(byRef, owner_name))
  const owner = isContrary ? undefined : (byRef ?? byName)
  const said = evidence.map(({ segment }) => segments[segment - 1])
  const isNamed = owner !== undefined && said.some((each) => each && (people.isNamed(owner, each.text) || each.speaker?.trim() === owner))
  if (!isNamed && (owner_ref !== null || owner_name !== null)) check.drop('owners')
  return isNamed ? owner : null
}

/** The words must stand where the action point is said, and be all that is said of the day there. */
function dueOf({ due_text, due_date }: ActionReply, { meeting, evidence, check }: PointSource): Pick<ActionPoint, 'dueDate' | 'dueText'> {
  const places = new Set(evidence.map(({ segment }) => meeting.segments[segment - 1]?.text ?? ''))
  const at = due_text === null ? [] : [...places].filter((text) => quoteOccurs(due_text, text))
  const dueText = due_text === null || at.length === 0 ? null : (check.told(due_text) ?? null)
  const isWhole = dueText !== null && at.every((text) => isAllThatIsSaid(dueText, text))
  const computed = !isWhole || meeting.date === null ? null : dueDate(dueText, meeting.date)
  if (due_text !== null && dueText === null) check.drop('due_texts')
  if (due_date !== null && due_date !== computed) check.drop('due_dates')
  return { dueDate: computed, dueText }
}
