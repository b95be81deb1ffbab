import { defineResultView, type ResultItem, type ResultPart, type ResultText, type ResultTone } from '@sidelinja/jobs-core/admin'
import { anotherJob, readProfile } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { valgomatGenerateProfile } from './job.ts'

const told = z.object({ profileId: z.guid() })
const stance = z.object({
  statement: z.string(),
  stance: z.int().min(-2).max(2).nullable(),
  evidence: z.array(z.object({ page: z.number(), quote: z.string() })),
  reasoning: z.string().nullable(),
})
const profile = z.object({ label: z.string(), party: z.string(), stances: z.array(stance) })

/** What a `valgomat_generate_profile` job came to: the profile as it stands, with its label, each stance with its quotes. */
export const valgomatGenerateProfileView = defineResultView(valgomatGenerateProfile, async ({ db, job, result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  const stored = await readProfile(db, job.collectionNodeId, parsed.data.profileId)
  const read = profile.safeParse(stored?.content)
  if (!stored || !read.success) return []
  const { label, party, stances } = read.data
  return [
    { kind: 'note', tone: 'warn', text: label },
    {
      kind: 'facts',
      rows: [
        { label: labels.party, value: party },
        { label: labels.state, value: states[stored.state] },
      ],
    },
    { kind: 'list', title: labels.stances, items: stances.map(toItem) },
    ...anotherJob(job, stored.jobId),
  ] satisfies ResultPart[]
})

const labels = {
  party: { nb: 'Parti', nn: 'Parti', en: 'Party' },
  state: { nb: 'Tilstand', nn: 'Tilstand', en: 'State' },
  stances: {
    nb: 'Standpunkter, med sider i programmet',
    nn: 'Standpunkt, med sider i programmet',
    en: 'Stances, with pages of the programme',
  },
} satisfies Readonly<Record<string, ResultText>>

const states = {
  draft: { nb: 'utkast, ikke publisert', nn: 'utkast, ikkje publisert', en: 'draft, not published' },
  published: { nb: 'publisert', nn: 'publisert', en: 'published' },
  rejected: { nb: 'avvist', nn: 'avvist', en: 'rejected' },
  withdrawn: { nb: 'trukket tilbake', nn: 'trekt tilbake', en: 'withdrawn' },
  replaced: { nb: 'erstattet av en nyere', nn: 'erstatta av ein nyare', en: 'replaced by a newer one' },
} satisfies Readonly<Record<string, ResultText>>

const marks: readonly { text: ResultText; tone: ResultTone }[] = [
  { text: { nb: 'helt imot', nn: 'heilt imot', en: 'strongly against' }, tone: 'bad' },
  { text: { nb: 'imot', nn: 'imot', en: 'against' }, tone: 'bad' },
  { text: { nb: 'verken eller', nn: 'verken eller', en: 'neither' }, tone: 'neutral' },
  { text: { nb: 'for', nn: 'for', en: 'for' }, tone: 'good' },
  { text: { nb: 'helt for', nn: 'heilt for', en: 'strongly for' }, tone: 'good' },
]
const silent = { text: { nb: 'ikke noe svar', nn: 'ikkje noko svar', en: 'no answer' }, tone: 'neutral' } as const

function toItem({ statement, stance: where, evidence, reasoning }: z.infer<typeof stance>): ResultItem {
  return {
    ...{ text: statement, note: reasoning, mark: where === null ? silent : (marks[where + 2] ?? silent) },
    quotes: evidence.map(({ page, quote }) => ({ text: quote, who: String(page) })),
  }
}
