import type { DomDocument } from './dom.ts'
import { textOf } from './text-of.ts'

const named = ['cookie', 'consent', 'gdpr', 'samtykke'].flatMap((word) => [`[class*="${word}" i]`, `[id*="${word}" i]`]).join(', ')
const about = /informasjonskapsl|\bcookies?\b|samtykke|consent/i
/** What is longer is an article, whatever it is called. */
const longestBanner = 1_500
const mostLookedAt = 500
const neverBanners = new Set(['html', 'body', 'main', 'article'])

/** Takes requests for consent out of a page: in a short page the search for the article takes them for a part of it. */
export function dropBanners(document: DomDocument): void {
  for (const element of [...document.querySelectorAll(named)].slice(0, mostLookedAt)) {
    if (neverBanners.has(element.localName ?? '')) continue
    const { text } = textOf(element, { maxCharacters: longestBanner })
    if (text.length < longestBanner && about.test(text)) element.remove?.()
  }
}
