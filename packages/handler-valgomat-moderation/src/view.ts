import { defineResultView, type ResultText } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { valgomatModeration } from './job.ts'

const told = z.object({
  ...{ questions: z.number(), clusters: z.number(), duplicates: z.number(), reworded: z.number() },
  ...{ moved: z.number(), rejected: z.number(), undecided: z.number() },
})

const labels = {
  questions: { nb: 'Spørsmål', nn: 'Spørsmål', en: 'Questions' },
  clusters: { nb: 'Grupper som spør om det samme', nn: 'Grupper som spør om det same', en: 'Groups that ask the same' },
  duplicates: { nb: 'Finnes fra før', nn: 'Finst frå før', en: 'Are there already' },
  reworded: { nb: 'Forslag til nøytral ordlyd', nn: 'Framlegg til nøytral ordlyd', en: 'Suggested neutral wordings' },
  moved: {
    nb: 'Ordlyder som flyttet standpunktet, utelatt',
    nn: 'Ordlydar som flytta standpunktet, utelatne',
    en: 'Wordings that moved the stance, left out',
  },
  rejected: { nb: 'Bør ikke tas med', nn: 'Bør ikkje takast med', en: 'Should not be taken' },
  undecided: { nb: 'Uten svar fra modellen', nn: 'Utan svar frå modellen', en: 'Without an answer of the model' },
} satisfies Readonly<Record<keyof z.infer<typeof told>, ResultText>>

const waits: ResultText = {
  nb: 'Forslagene venter på at noen godtar eller avviser dem.',
  nn: 'Framlegga ventar på at nokon godtek eller avviser dei.',
  en: 'The suggestions wait for somebody to accept or reject them.',
}

/** What a `valgomat_moderation` job came to, in numbers: the questions are for those who decide. */
export const valgomatModerationView = defineResultView(valgomatModeration, ({ result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  const keys = Object.keys(labels) as (keyof typeof labels)[]
  return [
    { kind: 'note', tone: 'neutral', text: waits },
    { kind: 'facts', rows: keys.map((key) => ({ label: labels[key], value: parsed.data[key] })) },
  ]
})
