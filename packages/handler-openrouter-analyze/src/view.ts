import { defineResultView, type ResultPart } from '@sidelinja/jobs-core/admin'
import { words } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { openrouterAnalyze } from './job.ts'

const analysis = z.object({
  title: z.string(),
  description: z.string(),
  summary: z.string(),
  chapters: z.array(z.object({ startMs: z.number(), title: z.string() })),
  topics: z.array(z.object({ nodeId: z.string().nullable(), name: z.string(), confidence: z.number() })),
  people: z.array(z.object({ name: z.string(), role: z.string().nullable(), startMs: z.number() })),
  quotes: z.array(z.object({ startMs: z.number(), text: z.string() })),
  language: z.string(),
})
const told = z.object({ analysis: analysis.nullable(), dropped: z.record(z.string(), z.number()).default({}) })

/** What an `openrouter_analyze` job came to: title and description as listeners would see them, then what the rest is for. */
export const openrouterAnalyzeView = defineResultView(openrouterAnalyze, ({ result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  if (parsed.data.analysis === null) return [{ kind: 'note', tone: 'neutral', text: words.noSpeech }]
  return [...analysisParts(parsed.data.analysis), ...droppedParts(parsed.data.dropped)]
})

const titles = {
  chapters: { nb: 'Kapitler', nn: 'Kapittel', en: 'Chapters' },
  topics: { nb: 'Temaer', nn: 'Tema', en: 'Topics' },
  people: { nb: 'Personer', nn: 'Personar', en: 'People' },
  quotes: { nb: 'Sitater', nn: 'Sitat', en: 'Quotes' },
}
const known = { text: { nb: 'kjent fra før', nn: 'kjend frå før', en: 'known already' }, tone: 'good' } as const

function analysisParts({
  title,
  description,
  summary,
  chapters,
  topics,
  people,
  quotes,
  language,
}: z.infer<typeof analysis>): ResultPart[] {
  const lists = [
    { title: titles.chapters, items: chapters.map(({ startMs, title: text }) => ({ startMs, text })) },
    { title: titles.topics, items: topics.map(({ nodeId, name: text }) => ({ text, ...(nodeId !== null && { mark: known }) })) },
    { title: titles.people, items: people.map(({ name: text, role: note, startMs }) => ({ text, note, startMs })) },
    { title: titles.quotes, items: quotes.map(({ startMs, text }) => ({ startMs, text: `«${text}»` })) },
  ]
  return [
    { kind: 'text', title, text: description, language },
    { kind: 'text', title: words.summary, text: summary, language },
    ...lists.filter(({ items }) => items.length > 0).map((list) => ({ kind: 'list', ...list }) as const),
  ]
}

/** What the transcript does not bear out was left out: who reads the rest should know that there was some. */
function droppedParts(dropped: Readonly<Record<string, number>>): ResultPart[] {
  const count = Object.values(dropped).reduce((sum, value) => sum + value, 0)
  if (count === 0) return []
  return [
    {
      kind: 'note',
      tone: 'neutral',
      text: {
        nb: `Utelatt fordi transkripsjonen ikke dekker det: ${count}.`,
        nn: `Utelate fordi transkripsjonen ikkje dekkjer det: ${count}.`,
        en: `Left out because the transcript does not bear it out: ${count}.`,
      },
    },
  ]
}
