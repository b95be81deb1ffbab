import { defineResultView, type ResultPart, type ResultText } from '@sidelinja/jobs-core/admin'
import { readResultNode } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { aiTextProcess, type Mode, type Uncertain } from './job.ts'

const kinds = [
  ...(['lost_number', 'new_number', 'lost_name', 'new_name', 'lost_day', 'new_day'] as const),
  ...(['moved_number', 'negation', 'length', 'language', 'more'] as const),
] as const satisfies Uncertain['kind'][]
const told = z.object({
  text: z.string().nullable(),
  note: z.string().nullable(),
  node: z.enum(['replaced', 'changed_meanwhile', 'unlike']).nullable(),
  uncertain: z.array(z.object({ kind: z.enum(kinds), text: z.string() })).default([]),
})

/** What an `ai_text_process` job came to: the text, and what to look at before it is used. */
export const aiTextProcessView = defineResultView(aiTextProcess, async ({ db, job, payload, result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  const { text, note, node, uncertain } = parsed.data
  if (note !== null) return [{ kind: 'note', tone: 'neutral', text: notes.empty }]
  const { nodeId, mode } = payload
  const stored =
    text === null && nodeId !== undefined ? await readResultNode(db, job.collectionNodeId, { nodeId, metadataKey: '' }) : undefined
  const shown = text ?? stored?.content
  return [
    ...(node === null ? [] : [{ kind: 'note', tone: node === 'replaced' ? 'neutral' : 'warn', text: notes[node] } as const]),
    ...(shown ? [{ kind: 'text', title: titles[mode], text: shown } as const] : []),
    ...uncertainParts(uncertain),
  ]
})

const notes = {
  empty: {
    nb: 'Noden er tom, så ingen ble spurt.',
    nn: 'Noden er tom, så ingen vart spurd.',
    en: 'The node is empty, so nobody was asked.',
  },
  replaced: {
    nb: 'Teksten står i noden. Her er noden slik den er nå.',
    nn: 'Teksten står i noden. Her er noden slik han er no.',
    en: 'The text stands in the node. Here is the node as it is now.',
  },
  changed_meanwhile: {
    nb: 'Noden ble endret mens jobben kjørte, og er latt i fred.',
    nn: 'Noden vart endra medan jobben køyrde, og er late i fred.',
    en: 'The node was changed while the job ran, and is left as it is.',
  },
  unlike: {
    nb: 'Svaret lignet for lite på kilden, så noden er latt i fred.',
    nn: 'Svaret likna for lite på kjelda, så noden er late i fred.',
    en: 'The answer was too unlike its source, so the node is left as it is.',
  },
} satisfies Readonly<Record<string, ResultText>>

const titles: Readonly<Record<Mode, ResultText>> = {
  rens: { nb: 'Renset tekst', nn: 'Reinsa tekst', en: 'Cleaned text' },
  oppsummer: { nb: 'Sammendrag', nn: 'Samandrag', en: 'Summary' },
  fakta: { nb: 'Fakta', nn: 'Fakta', en: 'Facts' },
  skriv_om: { nb: 'Omskrevet tekst', nn: 'Omskriven tekst', en: 'Rewritten text' },
}

const reasons: Readonly<Record<Exclude<Uncertain['kind'], 'more'>, ResultText>> = {
  lost_number: { nb: 'tall som er borte', nn: 'tal som er borte', en: 'number that is gone' },
  new_number: { nb: 'nytt tall', nn: 'nytt tal', en: 'new number' },
  lost_name: { nb: 'navn som er borte', nn: 'namn som er borte', en: 'name that is gone' },
  new_name: { nb: 'nytt navn', nn: 'nytt namn', en: 'new name' },
  lost_day: { nb: 'dag eller måned som er borte', nn: 'dag eller månad som er borte', en: 'day or month that is gone' },
  new_day: { nb: 'ny dag eller måned', nn: 'ny dag eller månad', en: 'new day or month' },
  moved_number: { nb: 'tall som har byttet plass', nn: 'tal som har bytt plass', en: 'number that changed places' },
  negation: { nb: 'flere eller færre nektinger', nn: 'fleire eller færre nektingar', en: 'more or fewer negations' },
  length: { nb: 'mye kortere eller lengre', nn: 'mykje kortare eller lengre', en: 'much shorter or longer' },
  language: { nb: 'annet språk eller målform', nn: 'anna språk eller målform', en: 'another language or form of Norwegian' },
}

function uncertainParts(uncertain: z.infer<typeof told>['uncertain']): ResultPart[] {
  if (uncertain.length === 0) return []
  const items = uncertain.flatMap(({ kind, text }) =>
    kind === 'more' ? [] : [{ text, mark: { text: reasons[kind], tone: 'warn' } as const }],
  )
  const title = { nb: 'Se på dette først', nn: 'Sjå på dette først', en: 'Look at this first' }
  return [{ kind: 'list', title, items, more: items.length < uncertain.length }]
}
