import { decodePage } from '../../charset/page-charset.ts'
import { type DomDocument, type DomNode, findArticle, parsePage } from './dom.ts'
import { dropBanners } from './drop-banners.ts'
import { type PageMetadata, readMetadata } from './read-metadata.ts'
import { textOf } from './text-of.ts'

/** A page as it came. */
export interface PageSource {
  readonly bytes: Uint8Array
  readonly headerCharset: string | undefined
}

/** What stands in a page. */
export interface ReadDocument extends PageMetadata {
  /** Of the article; of the whole page where none was found. */
  readonly text: string
  readonly cutCharacters: number
  /** How the whole page begins, with its menus: what tells a page in its place. */
  readonly front: string
  /** The page without what sites have around everything: what stands behind an article. */
  readonly middle: string
  /** What one can press. */
  readonly labels: readonly string[]
  /** First heading. */
  readonly heading: string | null
  /** What is said to whom has no JavaScript. */
  readonly noscript: string
  /** It wants to know who asks. */
  readonly asksForPassword: boolean
  /** There is a place that a program was to fill, and nothing in it. */
  readonly emptyRoot: boolean
}

/** Longer texts are cut: a book in one page. */
export const MAX_TEXT_CHARACTERS = 200_000
const frontCharacters = 5_000
const middleCharacters = 20_000
const mostLabels = 200
const longestLabel = 60
const aroundPages = new Set(['nav', 'footer', 'header'])
const aroundArticles = new Set(['nav', 'footer', 'aside', 'header', 'form', 'dialog'])
const appRoots = '#root, #app, #__next, #__nuxt, #svelte, app-root, [data-reactroot]'

/**
 * Decodes and parses a page and finds its article. Takes seconds and hundreds of megabytes for what was made to: call it on a thread that can be ended.
 * @throws RangeError where a document is too deep for the parser.
 */
export function readDocument({ bytes, headerCharset }: PageSource): ReadDocument {
  const document = parsePage(decodePage(bytes, headerCharset).text)
  const metadata = readMetadata(document)
  const seen = {
    front: textOf(document.body, { maxCharacters: frontCharacters }).text,
    middle: textOf(document.body, { maxCharacters: middleCharacters, without: aroundPages }).text,
    labels: labelsOf(document),
    heading: document.querySelector('h1')?.textContent?.replace(/\s+/g, ' ').trim().slice(0, 300) || null,
    noscript: noscriptOf(document),
    asksForPassword: document.querySelector('input[type="password" i]') !== null,
    emptyRoot: hasEmptyRoot(document),
  }
  dropBanners(document)
  const bounds = { maxCharacters: MAX_TEXT_CHARACTERS, countRest: true }
  const whole = textOf(document.body, { ...bounds, without: aroundArticles })
  const article = findArticle(document)
  const text = article === null ? whole : textOf(article.root, bounds)
  return {
    ...{ ...metadata, ...seen, ...text },
    title: metadata.title ?? (article?.title?.slice(0, 300).trim() || seen.heading),
    author: metadata.author ?? (article?.byline?.replace(/\s+/g, ' ').slice(0, 300).trim() || null),
  }
}

/** A place that says nothing, or that it is being filled; or a page that is nothing but a program. */
function hasEmptyRoot(document: DomDocument): boolean {
  const says = (root: DomNode) => textOf(root, { maxCharacters: 50 }).text
  const isEmptyPage = says(document.body) === '' && document.querySelector('script[src]') !== null
  return (
    isEmptyPage ||
    [...document.querySelectorAll(appRoots)].some((root) => /^(?:(?:laster|lastar|loading|vent|please wait)\b.{0,20})?$/i.test(says(root)))
  )
}

function labelsOf(document: DomDocument): string[] {
  return [...document.querySelectorAll('button, [role="button"], a, input[type="submit" i], input[type="button" i]')]
    .slice(0, mostLabels)
    .map((element) => element.getAttribute?.('value')?.trim() || textOf(element, { maxCharacters: longestLabel + 1 }).text)
    .filter(({ length }) => length > 0 && length <= longestLabel)
}

function noscriptOf(document: DomDocument): string {
  const texts = [...document.querySelectorAll('noscript')].slice(0, 20).map(({ textContent }) => textContent ?? '')
  return texts.join(' ').slice(0, 1_000)
}
