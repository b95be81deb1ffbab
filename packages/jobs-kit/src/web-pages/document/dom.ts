import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'

/** What is used of a node of the document: linkedom's types want those of a browser. */
export interface DomNode {
  /** 1 an element, 3 a text. */
  readonly nodeType: number
  /** Of an element, in small letters. */
  readonly localName?: string
  readonly textContent: string | null
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  readonly parentNode: DomNode | null
  getAttribute?(name: string): string | null
  remove?(): void
}

export interface DomDocument {
  readonly documentElement: DomNode
  readonly body: DomNode
  querySelector(selector: string): DomNode | null
  querySelectorAll(selector: string): Iterable<DomNode>
}

/** What Readability finds. */
export interface FoundArticle {
  readonly title: string | null
  readonly byline: string | null
  readonly root: DomNode
}

/** Parses a page, whatever is missing in it. */
export function parsePage(html: string): DomDocument {
  const document = parse(completed(html))
  // What comes before the first element may keep the parser from making any.
  return document.documentElement === null ? parse(`<html><body>${withoutFrame(html)}</body></html>`) : document
}

function parse(html: string): DomDocument {
  return parseHTML(html).document as unknown as DomDocument
}

/** The article of a page, taken out of its document, which is another one afterwards. Null where none was found, or its search broke at something odd. */
export function findArticle(document: DomDocument): FoundArticle | null {
  try {
    const found = new Readability<DomNode>(document as never, { serializer: (node) => node as unknown as DomNode }).parse()
    if (!found?.content) return null
    return { title: found.title || null, byline: found.byline || null, root: found.content }
  } catch (error) {
    // A document that is too deep stays too deep.
    if (error instanceof RangeError) throw error
    return null
  }
}

/** The parser makes no element that is not there, and HTML lets all three be left out. */
function completed(html: string): string {
  const hasBody = has(html, /<body[\s>]/gi)
  if (hasBody && has(html, /<html[\s>]/gi)) return html
  const open = /<html(?:\s[^>]{0,1000})?>/i.exec(html)?.[0] ?? '<html>'
  const rest = html.replace(/<\/?(?:html|!doctype)\b[^>]{0,1000}>/gi, '')
  const headEnd = rest.search(/<\/head\s*>/i)
  if (hasBody) return `${open}${rest}</html>`
  return headEnd < 0
    ? `${open}<body>${rest}</body></html>`
    : `${open}${rest.slice(0, headEnd)}</head><body>${rest.slice(headEnd)}</body></html>`
}

const mostTries = 20
const elsewhere: readonly [open: string, close: string][] = [
  ['<!--', '-->'],
  ['<script', '</script'],
  ['<style', '</style'],
  ['<textarea', '</textarea'],
  ['<title', '</title'],
]

/** Whether an element is there, and not only what looks like it in a comment, a program or a style. */
function has(html: string, element: RegExp): boolean {
  let tries = 0
  for (const { index } of html.matchAll(element)) {
    const before = html.slice(0, index).toLowerCase()
    if (tries++ === mostTries || !elsewhere.some(([open, close]) => before.lastIndexOf(open) > before.lastIndexOf(close))) return true
  }
  return false
}

/** Without what may stand around a body only once. */
function withoutFrame(html: string): string {
  return html.replace(/<!\[CDATA\[|<[!?][a-z][^>]{0,1000}>|<\/?(?:html|head|body)\b[^>]{0,1000}>/gi, '')
}
