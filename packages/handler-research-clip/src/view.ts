import { defineResultView, type ResultPart, type ResultText } from '@sidelinja/jobs-core/admin'
import { anotherJob, readResultNode, sourceKinds, words } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { researchClip } from './job.ts'
import type { SourceType } from './questions.ts'

const told = z.object({ nodeId: z.guid() })
const clip = z.object({
  summary: z.string(),
  keyClaims: z.array(z.object({ claim: z.string(), quote: z.string() })),
  sourceType: z.string(),
  sourceUrl: z.string().nullable(),
  leftOut: z.number(),
  jobId: z.string(),
  model: z.string(),
})

/** What a `research_clip` job came to: the clip as it stands in its node, each claim with the words that bear it out. */
export const researchClipView = defineResultView(researchClip, async ({ db, job, result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  const node = await readResultNode(db, job.collectionNodeId, { nodeId: parsed.data.nodeId, metadataKey: 'clip' })
  if (!node) return [nodeGone]
  const detail = clip.safeParse(node.detail)
  return [
    ...(detail.success ? clipParts(node.title, detail.data) : []),
    ...contentParts(node.content),
    ...anotherJob(job, detail.data?.jobId),
  ]
})

const nodeGone: ResultPart = {
  kind: 'note',
  tone: 'neutral',
  text: {
    nb: 'Noden er slettet, flyttet til en annen samling, eller kan ikke leses herfra.',
    nn: 'Noden er sletta, flytt til ei anna samling, eller kan ikkje lesast herifrå.',
    en: 'The node was deleted, has moved to another collection, or cannot be read from here.',
  },
}
const labels = {
  claims: { nb: 'Påstander', nn: 'Påstandar', en: 'Claims' },
  content: { nb: 'Teksten', nn: 'Teksten', en: 'The text' },
  source: { nb: 'Kilde', nn: 'Kjelde', en: 'Source' },
  kind: { nb: 'Slags kilde', nn: 'Slags kjelde', en: 'Kind of source' },
  leftOut: { nb: 'Linjer utelatt', nn: 'Linjer utelatne', en: 'Lines left out' },
} satisfies Readonly<Record<string, ResultText>>

const kinds: Readonly<Record<SourceType, ResultText>> = sourceKinds
function clipParts(title: string | null, { summary, keyClaims, ...facts }: z.infer<typeof clip>): ResultPart[] {
  return [
    { kind: 'text', title: title ?? words.summary, text: summary },
    ...(keyClaims.length > 0
      ? [
          {
            kind: 'list',
            title: labels.claims,
            items: keyClaims.map(({ claim, quote }) => ({ text: claim, quotes: [{ text: quote }] })),
          } as const,
        ]
      : []),
    {
      kind: 'facts',
      rows: [
        ...(facts.sourceUrl === null ? [] : [{ label: labels.source, value: facts.sourceUrl }]),
        { label: labels.kind, value: Object.hasOwn(kinds, facts.sourceType) ? kinds[facts.sourceType as SourceType] : facts.sourceType },
        { label: labels.leftOut, value: facts.leftOut },
        { label: words.model, value: facts.model },
      ],
    },
  ]
}

function contentParts(content: string | null): ResultPart[] {
  return content ? [{ kind: 'text', title: labels.content, text: content }] : []
}
