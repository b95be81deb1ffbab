import { sameSite } from '../address/canonical-url.ts'
import type { ReadDocument } from '../document/read-document.ts'
import type { Obstacle } from '../web-page.ts'
import { challengeTitle, consent, consentAddress, loginAddress, needsScript, notFoundTitle, paywall } from './phrases.ts'

/** An answer without its body. */
export interface AnsweredHead {
  readonly requested: URL
  readonly url: URL
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What a status alone says; statuses after which a later try may do better are not its business. */
export function obstacleOfAnswer({ status, headers }: AnsweredHead): Obstacle | null {
  if (headers['cf-mitigated'] === 'challenge') return 'refused'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 402) return 'paywall'
  return status >= 300 ? 'refused' : null
}

/** Less than this many letters is no text. */
const leastLetters = 50
/** So little is what a program was to fill. */
const fewLetters = 250
/** A text so long is an article, whatever words stand in it. */
const noticeLetters = 1_500
const teaserLetters = 2_500

/** What stands in place of an article, or before the rest of it: told by what the page says of itself, its address, and by phrases where there is little text. Null: it is an article. */
export function obstacleOfPage({ requested, url }: AnsweredHead, page: ReadDocument): Obstacle | null {
  const letters = lettersIn(page.text)
  const titles = [page.title ?? '', page.heading ?? '']
  const all = `${page.text.slice(0, teaserLetters * 3)}\n${page.front}`
  const isNotice = letters < noticeLetters
  if (isNotice && (titles.some((title) => challengeTitle.test(title)) || asksToLogIn(requested, url, page))) return 'refused'
  if (isNotice && asksForConsent(requested, url, all)) return 'consent'
  if (isNotice && titles.some((title) => notFoundTitle.test(title))) return 'not_found'
  if (isFrontPage(url) && !isFrontPage(requested) && depthOf(requested) > 1 && sameSite(requested, url)) return 'not_found'
  if (page.isFree === false || (letters < teaserLetters && paywall.test(all))) return 'paywall'
  if (letters < fewLetters && (page.emptyRoot || needsScript.test(`${page.noscript} ${all}`))) return 'needs_script'
  return isEmpty(page.text) ? 'empty' : null
}

/** Whether a text says nothing. */
export function isEmpty(text: string): boolean {
  return lettersIn(text) < leastLetters
}

function asksForConsent(requested: URL, url: URL, text: string): boolean {
  const byAddress = url.href !== requested.href && (consentAddress.test(url.hostname) || consentAddress.test(url.pathname))
  const said = consent.filter((phrase) => phrase.test(text)).length
  return said >= (byAddress ? 1 : 3)
}

/** A page that was asked for by another address, or holds nothing but the form. */
function asksToLogIn(requested: URL, url: URL, { asksForPassword, text }: ReadDocument): boolean {
  const sentThere = loginAddress.test(url.pathname) && !loginAddress.test(requested.pathname)
  return asksForPassword && (sentThere || lettersIn(text) < fewLetters)
}

/** An article that is gone often leads to the front page. */
function isFrontPage({ pathname, search }: URL): boolean {
  return pathname === '/' && search === ''
}

function depthOf({ pathname }: URL): number {
  return pathname.split('/').filter(Boolean).length
}

function lettersIn(text: string): number {
  return text.slice(0, teaserLetters * 3).match(/\p{L}/gu)?.length ?? 0
}
