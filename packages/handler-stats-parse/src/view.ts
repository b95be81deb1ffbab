import { defineResultView, type ResultPart, type ResultText } from '@sidelinja/jobs-core/admin'
import { z } from 'zod'
import { type SkipReason, statsParse } from './job.ts'

const told = z.object({
  lines: z.number(),
  counted: z.number(),
  skipped: z.record(z.string(), z.number()),
  listeners: z.number(),
  downloads: z.number(),
  filesRead: z.number(),
  missing: z.boolean(),
  more: z.boolean(),
  unreadable: z.array(z.string()).default([]),
})

/** What a `stats_parse` job came to: how many downloads, and which lines counted nothing and why. */
export const statsParseView = defineResultView(statsParse, ({ result }) => {
  const parsed = told.safeParse(result)
  return parsed.success ? [...warnings(parsed.data), facts(parsed.data), ...skippedTable(parsed.data)] : []
})

const labels = {
  downloads: { nb: 'Nye nedlastinger', nn: 'Nye nedlastingar', en: 'New downloads' },
  listeners: { nb: 'Lyttere sett', nn: 'Lyttarar sett', en: 'Listeners seen' },
  lines: { nb: 'Linjer lest', nn: 'Linjer lesne', en: 'Lines read' },
  counted: { nb: 'Linjer som teller', nn: 'Linjer som tel', en: 'Lines that count' },
  files: { nb: 'Filer lest', nn: 'Filer lesne', en: 'Files read' },
  skipped: { nb: 'Linjer som ikke teller', nn: 'Linjer som ikkje tel', en: 'Lines that do not count' },
  reason: { nb: 'Hvorfor', nn: 'Kvifor', en: 'Why' },
  number: { nb: 'Linjer', nn: 'Linjer', en: 'Lines' },
}

const reasons: Readonly<Record<SkipReason, ResultText>> = {
  blank: { nb: 'tom', nn: 'tom', en: 'blank' },
  malformed: { nb: 'kunne ikke leses', nn: 'kunne ikkje lesast', en: 'could not be read' },
  too_long: { nb: 'for lang', nn: 'for lang', en: 'too long' },
  other_logger: { nb: 'fra noe annet enn tilgangsloggen', nn: 'frå noko anna enn tilgangsloggen', en: 'of another log' },
  method: { nb: 'ikke GET', nn: 'ikkje GET', en: 'not GET' },
  status: { nb: 'svar uten fila', nn: 'svar utan fila', en: 'an answer without the file' },
  not_media: { nb: 'ikke en episode', nn: 'ikkje ein episode', en: 'not an episode' },
  preload: { nb: 'lastet på forhånd', nn: 'lasta på førehand', en: 'loaded ahead' },
  probe: { nb: 'bare de første bytene', nn: 'berre dei første bytane', en: 'only the first bytes' },
  empty: { nb: 'ingenting sendt', nn: 'ingenting sendt', en: 'nothing sent' },
  unplaced: { nb: 'ukjent del av fila', nn: 'ukjend del av fila', en: 'an unknown part of the file' },
  bot: { nb: 'robot', nn: 'robot', en: 'bot' },
  watch: { nb: 'klokke', nn: 'klokke', en: 'watch' },
  no_address: { nb: 'uten adresse', nn: 'utan adresse', en: 'without an address' },
  too_late: { nb: 'for sent: dagen er avsluttet', nn: 'for seint: dagen er avslutta', en: 'too late: the day is closed' },
}

function facts({ downloads, listeners, lines, counted, filesRead }: z.infer<typeof told>): ResultPart {
  const rows = [
    { label: labels.downloads, value: downloads },
    { label: labels.listeners, value: listeners },
    { label: labels.lines, value: lines },
    { label: labels.counted, value: counted },
    { label: labels.files, value: filesRead },
  ]
  return { kind: 'facts', rows }
}

function skippedTable({ skipped }: z.infer<typeof told>): ResultPart[] {
  const rows = Object.entries(skipped)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => [Object.hasOwn(reasons, reason) ? reasons[reason as SkipReason] : reason, count])
  return rows.length === 0 ? [] : [{ kind: 'table', title: labels.skipped, columns: [labels.reason, labels.number], rows }]
}

const notes = {
  missing: {
    nb: 'Fila som forrige jobb leste halvveis, er borte: resten av linjene er tapt.',
    nn: 'Fila som den førre jobben las halvvegs, er borte: resten av linjene er tapt.',
    en: 'The file that the job before left half read is gone: its remaining lines are lost.',
  },
  unreadable: {
    nb: 'Noen roterte filer kunne ikke leses. Neste jobb prøver igjen.',
    nn: 'Nokre roterte filer kunne ikkje lesast. Neste jobb prøver igjen.',
    en: 'Some rotated files could not be read. The next job tries again.',
  },
  more: {
    nb: 'Det er mer å lese: en ny jobb går videre.',
    nn: 'Det er meir å lese: ein ny jobb går vidare.',
    en: 'There is more to read: another job goes on.',
  },
} satisfies Readonly<Record<string, ResultText>>

function warnings({ missing, more, unreadable }: z.infer<typeof told>): ResultPart[] {
  return [
    ...(missing ? [{ kind: 'note', tone: 'warn', text: notes.missing } as const] : []),
    ...(unreadable.length > 0 ? [{ kind: 'note', tone: 'warn', text: notes.unreadable } as const] : []),
    ...(more ? [{ kind: 'note', tone: 'neutral', text: notes.more } as const] : []),
  ]
}
