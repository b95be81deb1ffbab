import { addsFacts, compareLanguages, compareTexts, createReplyCheck, isBlank, isQuote, quoteOccurs } from '@sidelinja/jobs-kit'
import type { z } from 'zod'
import type { Dictation, Uncertain } from './job.ts'
import type { noteReply } from './questions.ts'

/** How much shorter or longer than what was dictated a note may be. */
const ratio = [0.5, 1.3] as const
const mostTitle = 120

/** A note of a dictation, or of a part of one. */
export type Note = {
  /** One of each part. */
  titles: string[]
  body: string
  uncertain: Uncertain[]
  actionPoints: Dictation['actionPoints']
  dropped: Record<string, number>
}

/** Takes nothing on trust: numbers, names, length and language are compared with what was dictated, action points and doubts must stand there, links that nobody dictated go. */
export function checkNote(
  reply: z.output<ReturnType<typeof noteReply>>,
  { part, names }: { part: string; names: readonly string[] },
): Note {
  const { keep, plain, told, dropped } = createReplyCheck(part)
  const body = plain(reply.body_markdown)
  return {
    ...{ titles: [reply.title], body },
    uncertain: [
      ...compareLanguages(part, body),
      ...compareTexts(part, body, { names, ratio }),
      ...keep('uncertain', reply.uncertain, ({ text, reason }): Uncertain | undefined => {
        const words = quoteOccurs(text, part) ? told(text) : undefined
        return words === undefined ? undefined : { kind: 'unclear', text: words, reason: plain(reason) }
      }),
    ],
    actionPoints: keep('action_points', reply.action_points, ({ text, quote }) => {
      const [point, words] = [told(text), isQuote(quote) && quoteOccurs(quote, part) ? told(quote) : undefined]
      const isAdded = addsFacts(point ?? '', { quotes: [quote], said: [part], names })
      return point === undefined || words === undefined || isAdded ? undefined : { text: point, quote: words }
    }),
    dropped: { ...dropped },
  }
}

/** A title without links that nobody dictated; of one of which nothing is left the first words. What it says that nobody dictated is to be looked at. */
export function titleOf(title: string, text: string): { title: string; uncertain: Uncertain[] } {
  const found = createReplyCheck(text).plain(title).replace(/\s+/g, ' ').slice(0, mostTitle).trim().toWellFormed()
  if (isBlank(found))
    return {
      title: text
        .trim()
        .replace(/\s+/g, ' ')
        .slice(0, mostTitle / 2)
        .trim()
        .toWellFormed(),
      uncertain: [],
    }
  return { title: found, uncertain: compareTexts(text, found, { names: [] }) }
}
