import type { DomDocument, DomNode } from './dom.ts'
import { type ArticleData, readJsonLd } from './json-ld.ts'
import { readPublishedAt } from './published-at.ts'

/** What a page says of itself, without believing it. */
export interface PageMetadata {
  readonly title: string | null
  readonly siteName: string | null
  readonly author: string | null
  readonly publishedAt: string | null
  readonly description: string | null
  readonly language: string | null
  /** As it stands there. */
  readonly canonical: string | null
  /** Where it sends its reader to within ten seconds, as it stands there. */
  readonly refresh: string | null
  readonly isFree: boolean | null
  readonly noai: boolean
  readonly tdmReserved: boolean
}

const mostMetas = 1_000
const mostScripts = 20
const longestScript = 500_000

/** Reads `<meta>`, `<link>`, `<title>` and JSON-LD. Before the article is looked for: that changes the document. */
export function readMetadata(document: DomDocument): PageMetadata {
  const metas = metasOf(document)
  const first = (...names: string[]) => names.map((name) => metas.get(name)).find((value) => value !== undefined) ?? null
  const data = readJsonLd(scriptsOf(document))
  return {
    title: line(first('og:title', 'twitter:title') ?? data.title ?? document.querySelector('title')?.textContent ?? null, 300),
    siteName: line(first('og:site_name', 'application-name') ?? data.siteName, 200),
    author: line(plainAuthor(first('author', 'article:author', 'dc.creator', 'dcterms.creator')) ?? data.author, 300),
    publishedAt: readPublishedAt(
      first('article:published_time', 'og:published_time', 'datepublished', 'dc.date.issued', 'date') ?? data.publishedAt,
    ),
    description: line(first('og:description', 'description', 'twitter:description'), 1_000),
    language: languageOf(document, first('content-language', 'og:locale')),
    canonical: line(document.querySelector('link[rel~="canonical" i]')?.getAttribute?.('href') ?? first('og:url'), 2_000),
    refresh: refreshOf(first('refresh')),
    isFree: freedom(first('article:content_tier'), data),
    noai: /\bno(image)?ai\b/i.test(first('robots') ?? ''),
    tdmReserved: first('tdm-reservation')?.trim() === '1',
  }
}

/** Values by name, the first of each. */
function metasOf(document: DomDocument): Map<string, string> {
  const metas = new Map<string, string>()
  for (const meta of document.querySelectorAll('meta')) {
    if (metas.size >= mostMetas) break
    const name = (
      attribute(meta, 'property') ||
      attribute(meta, 'name') ||
      attribute(meta, 'http-equiv') ||
      attribute(meta, 'itemprop')
    ).toLowerCase()
    const content = attribute(meta, 'content')
    if (name !== '' && content.trim() !== '' && !metas.has(name)) metas.set(name, content)
  }
  return metas
}

function scriptsOf(document: DomDocument): string[] {
  return [...document.querySelectorAll('script[type="application/ld+json" i]')]
    .slice(0, mostScripts)
    .map(({ textContent }) => textContent ?? '')
    .filter(({ length }) => length <= longestScript)
}

function refreshOf(content: string | null): string | null {
  const [, seconds, quoted, plain] =
    /^\s*(\d{1,2})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?(?:["']([^"']{1,2000})["']?|(\S{1,2000}))/i.exec(content ?? '') ?? []
  return Number(seconds) <= 10 ? (quoted ?? plain ?? null) : null
}

/** Facebook wants an address there. */
function plainAuthor(author: string | null): string | null {
  return author !== null && /^https?:\/\//i.test(author.trim()) ? null : author
}

function languageOf(document: DomDocument, said: string | null): string | null {
  const tag = (document.documentElement.getAttribute?.('lang') || said || '').trim().replace('_', '-').toLowerCase()
  return /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/.test(tag) ? tag : null
}

function freedom(tier: string | null, { isFree }: ArticleData): boolean | null {
  if (tier !== null && /^(free|locked|metered)$/i.test(tier.trim())) return !/^locked$/i.test(tier.trim())
  return isFree
}

function attribute(node: DomNode, name: string): string {
  return node.getAttribute?.(name)?.trim() ?? ''
}

/** One line, of so many characters at most; null where there is nothing in it. */
function line(text: string | null, longest: number): string | null {
  const joined = (text ?? '')
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
  return joined === '' ? null : joined
}
