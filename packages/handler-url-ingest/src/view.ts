import { defineResultView, type ResultPart, type ResultText } from '@sidelinja/jobs-core/admin'
import { anotherJob, readResultNode, sourceKinds, words } from '@sidelinja/jobs-kit/view'
import { z } from 'zod'
import { type Obstacle, urlIngest } from './job.ts'
import type { SourceType } from './questions.ts'

const told = z.object({ nodeId: z.guid(), outcome: z.string(), obstacle: z.string().nullable() })
const clip = z.object({
  obstacle: z.string().nullable(),
  summary: z.string(),
  keyClaims: z.array(z.object({ claim: z.string(), quote: z.string() })),
  sourceType: z.string().nullable(),
  sourceUrl: z.string(),
  url: z.string(),
  siteName: z.string().nullable(),
  author: z.string().nullable(),
  publishedAt: z.string().nullable(),
  fetchedAt: z.string(),
  cutCharacters: z.number(),
  jobId: z.string(),
  model: z.string().nullable(),
})

/** What a `url_ingest` job came to: the clip as it stands in its node, each claim with the words that bear it out; or what stood in the page's way. */
export const urlIngestView = defineResultView(urlIngest, async ({ db, job, result }) => {
  const parsed = told.safeParse(result)
  if (!parsed.success) return []
  const { nodeId, outcome, obstacle } = parsed.data
  const node = await readResultNode(db, job.collectionNodeId, { nodeId, metadataKey: 'clip' })
  if (!node) return [note('neutral', notes.gone)]
  const detail = clip.safeParse(node.detail).data
  return [
    ...(obstacle === null ? [] : [note('warn', wayOf(obstacle))]),
    ...(outcome === 'kept' ? [note('neutral', notes.kept)] : []),
    ...(outcome === 'edited' ? [note('neutral', notes.edited)] : []),
    ...(detail ? clipParts(node.title, detail) : []),
    ...(node.content ? [{ kind: 'text', title: labels.content, text: node.content } as const] : []),
    // Kept is what another job has written, and that is said already.
    ...(outcome === 'kept' ? [] : anotherJob(job, detail?.jobId)),
  ]
})

function note(tone: 'neutral' | 'warn', text: ResultText): ResultPart {
  return { kind: 'note', tone, text }
}

const notes = {
  gone: {
    nb: 'Noden er slettet, flyttet til en annen samling, eller kan ikke leses herfra.',
    nn: 'Noden er sletta, flytt til ei anna samling, eller kan ikkje lesast herifrå.',
    en: 'The node was deleted, has moved to another collection, or cannot be read from here.',
  },
  kept: {
    nb: 'Siden var hentet før. Det som sto der, er beholdt.',
    nn: 'Sida var henta før. Det som stod der, er halde på.',
    en: 'The page had been read before. What was there has been kept.',
  },
  edited: {
    nb: 'Noen har endret tittelen eller teksten. De er beholdt.',
    nn: 'Nokon har endra tittelen eller teksten. Dei er haldne på.',
    en: 'Somebody has edited the title or the text. They have been kept.',
  },
  unknown: { nb: 'Siden kunne ikke leses.', nn: 'Sida kunne ikkje lesast.', en: 'The page could not be read.' },
} satisfies Readonly<Record<string, ResultText>>

const ways: Readonly<Record<Obstacle, ResultText>> = {
  not_found: { nb: 'Siden finnes ikke.', nn: 'Sida finst ikkje.', en: 'There is no such page.' },
  refused: {
    nb: 'Nettstedet ga ikke fra seg siden: den krever innlogging, eller roboter slipper ikke inn.',
    nn: 'Nettstaden gav ikkje frå seg sida: ho krev innlogging, eller robotar slepp ikkje inn.',
    en: 'The site did not give the page away: it wants a login, or lets no robots in.',
  },
  consent: {
    nb: 'Nettstedet viste et spørsmål om samtykke i stedet for siden.',
    nn: 'Nettstaden viste eit spørsmål om samtykke i staden for sida.',
    en: 'The site showed a request for consent in place of the page.',
  },
  paywall: {
    nb: 'Resten av siden er for abonnenter.',
    nn: 'Resten av sida er for abonnentar.',
    en: 'The rest of the page is for subscribers.',
  },
  needs_script: {
    nb: 'Siden er tom uten JavaScript, og kan ikke leses herfra.',
    nn: 'Sida er tom utan JavaScript, og kan ikkje lesast herifrå.',
    en: 'The page is empty without JavaScript, and cannot be read from here.',
  },
  empty: { nb: 'Siden har ingen tekst.', nn: 'Sida har ingen tekst.', en: 'The page has no text.' },
  scanned: {
    nb: 'PDF-en består av bilder uten tekst.',
    nn: 'PDF-en er sett saman av bilete utan tekst.',
    en: 'The PDF is made of pictures, without text.',
  },
  unreadable: {
    nb: 'Siden kunne ikke leses: den er skadet eller låst, eller for tung å tolke.',
    nn: 'Sida kunne ikkje lesast: ho er skadd eller låst, eller for tung å tolke.',
    en: 'The page could not be read: it is damaged or locked, or too heavy to parse.',
  },
  no_pdf_reader: {
    nb: 'Dette er en PDF, og arbeideren mangler programmet pdftotext.',
    nn: 'Dette er ein PDF, og arbeidaren manglar programmet pdftotext.',
    en: 'This is a PDF, and the worker lacks the program pdftotext.',
  },
  robots: {
    nb: 'Nettstedet vil ikke at maskiner henter siden på egen hånd (robots.txt).',
    nn: 'Nettstaden vil ikkje at maskiner hentar sida på eiga hand (robots.txt).',
    en: 'The site does not want machines to fetch the page by themselves (robots.txt).',
  },
}

function wayOf(obstacle: string): ResultText {
  return Object.hasOwn(ways, obstacle) ? ways[obstacle as Obstacle] : notes.unknown
}

const labels = {
  claims: { nb: 'Påstander', nn: 'Påstandar', en: 'Claims' },
  content: { nb: 'Teksten', nn: 'Teksten', en: 'The text' },
  source: { nb: 'Adresse', nn: 'Adresse', en: 'Address' },
  found: { nb: 'Funnet på', nn: 'Funnen på', en: 'Found at' },
  site: { nb: 'Nettsted', nn: 'Nettstad', en: 'Site' },
  author: { nb: 'Av', nn: 'Av', en: 'By' },
  published: { nb: 'Publisert', nn: 'Publisert', en: 'Published' },
  fetched: { nb: 'Hentet', nn: 'Henta', en: 'Fetched' },
  kind: { nb: 'Slags kilde', nn: 'Slags kjelde', en: 'Kind of source' },
  cut: { nb: 'Tegn utelatt på slutten', nn: 'Teikn utelatne på slutten', en: 'Characters left out at the end' },
} satisfies Readonly<Record<string, ResultText>>

const kinds: Readonly<Record<SourceType, ResultText>> = sourceKinds
function clipParts(
  title: string | null,
  { summary, keyClaims, sourceUrl, url, sourceType, cutCharacters, ...facts }: z.infer<typeof clip>,
): ResultPart[] {
  const rows: [ResultText, ResultText | string | number | null][] = [
    [labels.source, sourceUrl],
    [labels.found, url === sourceUrl ? null : url],
    [labels.site, facts.siteName],
    [labels.author, facts.author],
    [labels.published, facts.publishedAt],
    [labels.fetched, facts.fetchedAt],
    [labels.kind, sourceType !== null && Object.hasOwn(kinds, sourceType) ? kinds[sourceType as SourceType] : sourceType],
    [labels.cut, cutCharacters || null],
    [words.model, facts.model],
  ]
  const claims = keyClaims.map(({ claim, quote }) => ({ text: claim, quotes: [{ text: quote }] }))
  return [
    ...(summary === '' ? [] : [{ kind: 'text', title: title ?? words.summary, text: summary } as const]),
    ...(claims.length > 0 ? [{ kind: 'list', title: labels.claims, items: claims } as const] : []),
    { kind: 'facts', rows: rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])) },
  ]
}
