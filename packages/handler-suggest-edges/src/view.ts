import { defineResultView, type ResultPart, type ResultText } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { suggestEdges } from './job.ts'

const told = z.object({
  note: z.enum(['short text', 'switched off']).nullable(),
  ...{ candidates: z.number(), suggested: z.number(), added: z.number(), unread: z.number() },
  newTopics: z.array(z.object({ name: z.string(), description: z.string(), evidence: z.string() })),
})

const notes = {
  'short text': {
    nb: 'Noden har for lite tekst, så ingen ble spurt.',
    nn: 'Noden har for lite tekst, så ingen vart spurd.',
    en: 'The node has too little text, so nobody was asked.',
  },
  'switched off': {
    nb: 'Samlingen har slått av forslag.',
    nn: 'Samlinga har slått av framlegg.',
    en: 'The collection has switched suggestions off.',
  },
  unread: {
    nb: 'Teksten er lang; bare begynnelsen ble lest.',
    nn: 'Teksten er lang; berre byrjinga vart lesen.',
    en: 'The text is long; only its beginning was read.',
  },
} satisfies Readonly<Record<string, ResultText>>

const labels = {
  suggested: { nb: 'Forslag til kanter', nn: 'Framlegg til kantar', en: 'Suggested edges' },
  added: { nb: 'Av dem nye', nn: 'Av dei nye', en: 'Of them new' },
  candidates: { nb: 'Noder å velge blant', nn: 'Nodar å velje mellom', en: 'Nodes to choose from' },
  topics: { nb: 'Emner som mangler', nn: 'Emne som manglar', en: 'Topics that are missing' },
} satisfies Readonly<Record<string, ResultText>>

/** What a `suggest_edges` job came to: how many edges are suggested, and which topics are missing. The edges themselves wait in the application. */
export const suggestEdgesView = defineResultView(suggestEdges, ({ result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  const { note, candidates, suggested, added, unread, newTopics } = parsed.data
  if (note !== null) return [{ kind: 'note', tone: 'neutral', text: notes[note] }]
  const items = newTopics.map(({ name, description, evidence }) => ({
    text: description === '' ? name : `${name}: ${description}`,
    quotes: [{ text: evidence }],
  }))
  const parts: ResultPart[] = [
    {
      kind: 'facts',
      rows: [
        { label: labels.suggested, value: suggested },
        { label: labels.added, value: added },
        { label: labels.candidates, value: candidates },
      ],
    },
  ]
  if (items.length > 0) parts.push({ kind: 'list', title: labels.topics, items })
  if (unread > 0) parts.unshift({ kind: 'note', tone: 'warn', text: notes.unread })
  return parts
})
