import { defineResultView, type ResultItem, type ResultPart, type ResultText } from '@sidelinja/jobs-core/admin'
import { anotherJob, readMinutes, words } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { meetingSummarize } from './job.ts'

const told = z.object({ note: z.string().nullable() })
const evidence = z.array(z.object({ startMs: z.number(), quote: z.string() }))
const point = z.object({ text: z.string(), evidence })
const minutes = z.object({
  summary: z.string(),
  decisions: z.array(point),
  actionPoints: z.array(point.extend({ owner: z.string().nullable(), dueDate: z.string().nullable(), dueText: z.string().nullable() })),
  openQuestions: z.array(point),
  uncertain: z.array(z.object({ text: z.string() })).default([]),
})

/** What a `meeting_summarize` job came to: the minutes as they stand, each point with the words that bear it out. */
export const meetingSummarizeView = defineResultView(meetingSummarize, async ({ db, job, payload, result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  if (parsed.data.note !== null) return [{ kind: 'note', tone: 'neutral', text: words.noSpeech }]
  const stored = await readMinutes(db, job.collectionNodeId, payload.mediaNodeId)
  const read = minutes.safeParse(stored?.content)
  if (!stored || !read.success) return []
  const notes = [...(stored.suggestion === null ? [] : [edited]), ...(read.data.uncertain.length === 0 ? [] : [anotherLanguage])]
  return [...notes, ...minutesParts(read.data, stored.language), ...anotherJob(job, stored.jobId)]
})

const edited: ResultPart = {
  kind: 'note',
  tone: 'warn',
  text: {
    nb: 'Noen har rettet referatet. Det nye ligger ved siden av, som forslag.',
    nn: 'Nokon har retta referatet. Det nye ligg ved sida av, som framlegg.',
    en: 'Somebody has edited the minutes. The new ones stand beside them, as a suggestion.',
  },
}
const anotherLanguage: ResultPart = {
  kind: 'note',
  tone: 'warn',
  text: {
    nb: 'Referatet, eller en del av det, er på et annet språk eller en annen målform enn møtet.',
    nn: 'Referatet, eller ein del av det, er på eit anna språk eller ei anna målform enn møtet.',
    en: 'The minutes, or a part of them, are in another language or form of Norwegian than the meeting.',
  },
}
const titles = {
  decisions: { nb: 'Vedtak', nn: 'Vedtak', en: 'Decisions' },
  actionPoints: { nb: 'Oppgaver', nn: 'Oppgåver', en: 'Action points' },
  openQuestions: { nb: 'Åpne spørsmål', nn: 'Opne spørsmål', en: 'Open questions' },
} satisfies Readonly<Record<string, ResultText>>

function minutesParts({ summary, decisions, actionPoints, openQuestions }: z.infer<typeof minutes>, language: string | null): ResultPart[] {
  const lists = [
    { title: titles.decisions, items: decisions.map(toItem) },
    {
      title: titles.actionPoints,
      items: actionPoints.map((each) => ({ ...toItem(each), who: each.owner, note: each.dueDate ?? each.dueText })),
    },
    { title: titles.openQuestions, items: openQuestions.map(toItem) },
  ]
  return [
    { kind: 'text', title: words.summary, text: summary, language },
    ...lists.filter(({ items }) => items.length > 0).map((list) => ({ kind: 'list', ...list }) as const),
  ]
}

function toItem({ text, evidence: quotes }: z.infer<typeof point>): ResultItem {
  return { text, quotes: quotes.map(({ startMs, quote }) => ({ text: quote, startMs })) }
}
