import { addsFacts, isQuote, quoteOccurs, quoteStandsAt, type ReplyCheck, type Segment } from '@sidelinja/jobs-kit'
import type { Evidence } from './job.ts'
import type { Meeting } from './meeting.ts'
import type { MinutesReply } from './questions.ts'

type Said = MinutesReply['decisions'][number]['evidence'][number]

/** What a model says, and where it is said. */
export interface BorneOut {
  readonly text: string
  readonly evidence: readonly Said[]
  readonly due_text?: string | null
}

/** Keeps the quotes that have three words at least and stand in the segment that they name. */
export function evidenceFor(segments: readonly Segment[], check: ReplyCheck): (evidence: readonly Said[]) => Evidence[] {
  const texts = segments.map(({ text }) => text)
  return (evidence) =>
    check.keep('evidence', evidence, ({ segment, quote }) => {
      const startMs = segments[segment - 1]?.startMs
      const said = isQuote(quote) && quoteStandsAt(quote, texts, segment - 1) ? check.told(quote) : undefined
      return startMs === undefined || said === undefined ? undefined : { segment, startMs, quote: said }
    })
}

/** True where a point has a number or a day that neither its quotes nor its due date have, or a name that the segments and their speakers have not. */
export function isAddedTo(
  text: string,
  { evidence, meeting, due }: { evidence: readonly Evidence[]; meeting: Meeting; due?: string | null | undefined },
): boolean {
  const { people, segments } = meeting
  const places = evidence.flatMap(({ segment }) => segments[segment - 1] ?? [])
  const isDue = due && places.some((place) => quoteOccurs(due, place.text))
  return addsFacts(text, {
    quotes: [...evidence.map(({ quote }) => quote), ...(isDue ? [due] : [])],
    said: places.flatMap((place) => [place.text, place.speaker ?? '', ...people.names.filter((name) => people.isNamed(name, place.text))]),
    names: people.names,
  })
}
