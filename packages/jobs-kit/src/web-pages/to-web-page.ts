import { createHash } from 'node:crypto'
import { legible } from '../ai-text/reply/legible.ts'
import { canonicalUrl } from './address/canonical-url.ts'
import { pageKey, withoutTracking } from './address/page-key.ts'
import type { FetchedPage } from './fetch/create-page-fetch.ts'
import { kindOf, parseMediaType } from './media-type.ts'
import type { ReadBody } from './read-body.ts'
import type { Obstacle, WebPage } from './web-page.ts'

/** With these it is the page itself that was met, and not something in its place. */
const ofThePage: readonly (Obstacle | null)[] = [null, 'paywall', 'scanned', 'no_pdf_reader', 'empty']

/** What is told of a page. */
export function toWebPage(
  { requested, answer }: FetchedPage,
  { text, cutCharacters, obstacle, document }: ReadBody,
  fetchedAt: Date,
): WebPage {
  const url = answer?.url ?? requested
  const met = ofThePage.includes(obstacle)
  const canonical = met ? canonicalUrl(document?.canonical ?? null, url) : null
  const { type } = parseMediaType(answer?.headers['content-type'])
  const said = (words: string | null | undefined) => (words ? legible(words).trim() || null : null)
  return {
    requestedUrl: requested.href,
    url: withoutTracking(url).href,
    canonicalUrl: canonical?.href ?? null,
    key: pageKey(canonical ?? (met ? url : requested)),
    status: answer?.status ?? null,
    mediaType: type === '' ? null : type.slice(0, 100),
    obstacle,
    text: legible(text).trim(),
    cutCharacters,
    title: said(document?.title) ?? (answer && kindOf(type, answer.body) === 'pdf' ? fileName(url) : null),
    siteName: said(document?.siteName),
    author: said(document?.author),
    publishedAt: document?.publishedAt ?? null,
    description: said(document?.description),
    language: document?.language ?? null,
    reservations: reservationsOf(answer?.headers ?? {}, document),
    etag: answer?.headers.etag?.slice(0, 200) ?? null,
    contentHash: answer && answer.body.length > 0 ? createHash('sha256').update(answer.body).digest('hex') : null,
    bytes: answer?.body.length ?? 0,
    fetchedAt: fetchedAt.toISOString(),
  }
}

function reservationsOf(headers: Readonly<Record<string, string | undefined>>, document: ReadBody['document']): WebPage['reservations'] {
  const noai = document?.noai || /\bno(image)?ai\b/i.test(headers['x-robots-tag'] ?? '')
  const tdm = document?.tdmReserved || headers['tdm-reservation']?.trim() === '1'
  return [...(noai ? (['noai'] as const) : []), ...(tdm ? (['tdm'] as const) : [])]
}

/** The last part of an address, as people read it. */
function fileName({ pathname }: URL): string | null {
  const last = pathname.split('/').at(-1) ?? ''
  try {
    return legible(decodeURIComponent(last)).slice(0, 200).toWellFormed() || null
  } catch {
    return last.slice(0, 200) || null
  }
}
