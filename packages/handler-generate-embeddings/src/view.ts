import { defineResultView, type ResultText } from '@sidelinja/jobs-core/admin'
import { words } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { generateEmbeddings } from './job.ts'

const told = z.object({ model: z.string(), dimensions: z.number().nullable(), texts: z.number(), embedded: z.number() })

const labels = {
  texts: { nb: 'Tekster som kan søkes i', nn: 'Tekstar som kan søkjast i', en: 'Texts that can be searched' },
  embedded: { nb: 'Av dem nye', nn: 'Av dei nye', en: 'Of them new' },
  dimensions: { nb: 'Tall i hver vektor', nn: 'Tal i kvar vektor', en: 'Numbers in each vector' },
} satisfies Readonly<Record<string, ResultText>>

const noText: ResultText = {
  nb: 'Noden har ingen tekst, så den kan ikke søkes i.',
  nn: 'Noden har ingen tekst, så han kan ikkje søkjast i.',
  en: 'The node has no text, so it cannot be searched.',
}

/** What a `generate_embeddings` job came to: how many texts, and how many of them were paid for. */
export const generateEmbeddingsView = defineResultView(generateEmbeddings, ({ result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  const { model, dimensions, texts, embedded } = parsed.data
  if (dimensions === null) return [{ kind: 'note', tone: 'neutral', text: noText }]
  return [
    {
      kind: 'facts',
      rows: [
        { label: labels.texts, value: texts },
        { label: labels.embedded, value: embedded },
        { label: labels.dimensions, value: dimensions },
        { label: words.model, value: model },
      ],
    },
  ]
})
