import { defineResultView, type ResultPart, type ResultText } from '@sidelinja/jobs-core/admin'
import { transcriptParts, words } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { srtParse } from './job.ts'

const told = z.object({
  segments: z.number(),
  empty: z.number(),
  mended: z.number(),
  format: z.string().nullable(),
  notes: z.array(z.string()).default([]),
})

/** What an `srt_parse` job came to: the transcript, and how much of it had to be mended. */
export const srtParseView = defineResultView(srtParse, async ({ payload, result, ...context }) => {
  const parsed = told.safeParse(result)
  return [...(parsed.success ? parsedParts(parsed.data) : []), ...(await transcriptParts(context, payload.mediaNodeId))]
})

const labels = {
  format: { nb: 'Format', nn: 'Format', en: 'Format' },
  mended: { nb: 'Rettet', nn: 'Retta', en: 'Mended' },
  empty: { nb: 'Tomme, utelatt', nn: 'Tomme, utelatne', en: 'Empty, left out' },
}
const cutOff: ResultText = {
  nb: 'Fila slutter midt i en tekst: det siste er ikke med.',
  nn: 'Fila sluttar midt i ein tekst: det siste er ikkje med.',
  en: 'The file ends in the middle of a cue: the last one is not here.',
}

function parsedParts({ segments, empty, mended, format, notes }: z.infer<typeof told>): ResultPart[] {
  return [
    ...(notes.includes('cut_off') ? [{ kind: 'note', tone: 'warn', text: cutOff } as const] : []),
    {
      kind: 'facts',
      rows: [
        { label: words.segments, value: segments },
        { label: labels.mended, value: mended },
        { label: labels.empty, value: empty },
        ...(format === null ? [] : [{ label: labels.format, value: format.toUpperCase() }]),
      ],
    },
  ]
}
