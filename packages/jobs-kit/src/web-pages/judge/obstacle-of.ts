import { sameSite } from '../address/canonical-url.ts'
import type { ReadDocument } from '../document/read-document.ts'
import type { Obstacle } from '../web-page.ts'
import {
  challenge,
  challengeTitle,
  consent,
  consentAddress,
  consentAsked,
  loginAddress,
  loginTitle,
  needsScript,
  notFoundTitle,
  paywall,
  subscriber,
} from './phrases.ts'

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
const lookedAt = teaserLetters * 3
/** How far behind a text its wall may stand, and how far the words that every page of a site has at its end. */
const afterText = 1_500
const rightAfterText = 200

/** What stands in place of an article, or before the rest of it: told by what the page says of itself, its address, and by phrases where there is little text. Null: it is an article. */
export function obstacleOfPage({ requested, url }: AnsweredHead, page: ReadDocument): Obstacle | null {
  const letters = lettersIn(page.text)
  const titles = [page.title ?? '', page.heading ?? '']
  const all = `${page.text.slice(0, lookedAt)}\n${page.front}`
  const isNotice = letters < noticeLetters
  const isTitled = (phrase: RegExp) => titles.some((title) => phrase.test(title))
  if (isNotice && (isTitled(challengeTitle) || asksToLogIn(requested, url, page))) return 'refused'
  if (letters < fewLetters && challenge.test(all)) return 'refused'
  if (isNotice && isTitled(notFoundTitle)) return 'not_found'
  if (isNotice && asksForConsent(requested, url, page)) return 'consent'
  if (isFrontPage(url) && !isFrontPage(requested) && depthOf(requested) > 1 && sameSite(requested, url)) return 'not_found'
  if (page.isFree === false || (letters < teaserLetters && endsInPaywall(page))) return 'paywall'
  if (letters < fewLetters && (page.emptyRoot || needsScript.test(`${page.noscript} ${all}`))) return 'needs_script'
  return isEmpty(page.text) ? 'empty' : null
}

/** Whether a text says nothing. */
export function isEmpty(text: string): boolean {
  return lettersIn(text) < leastLetters
}

/** A text that is the article's own, however short, says nothing of a banner over it; where there is none the banner may be all there is. */
function asksForConsent(requested: URL, url: URL, { text, front, labels }: ReadDocument): boolean {
  const seen = text.slice(0, lookedAt)
  const said = withoutQuotes(isEmpty(text) ? front : seen)
  const labelled = `${said}\n${labels.join('\n')}`
  const found = consent.filter((phrase) => phrase.test(labelled)).length
  const byAddress = url.href !== requested.href && (consentAddress.test(url.hostname) || consentAddress.test(url.pathname))
  return byAddress ? found >= 1 : consentAsked.test(said) && found >= 2
}

/** What an article quotes it does not say itself. */
function withoutQuotes(text: string): string {
  return text.replace(/«[^»\n]{1,80}»|“[^”\n]{1,80}”|"[^"\n]{1,80}"/g, '')
}

/** Where a text breaks off for want of a subscription, it is said in it or after it: what stands before it every page of the site has. */
function endsInPaywall({ text, middle }: ReadDocument): boolean {
  const [first = '', last = ''] = [text.split('\n', 1)[0]?.slice(0, 60), text.slice(text.lastIndexOf('\n') + 1).slice(-60)]
  const begin = Math.max(0, middle.indexOf(first))
  const end = last === '' ? -1 : middle.indexOf(last, begin)
  const ended = end < 0 ? middle.length : end + last.length
  const near = (letters: number) => `${text.slice(0, lookedAt)}\n${middle.slice(begin, ended + letters)}`
  return paywall.test(withoutQuotes(near(afterText))) || subscriber.test(withoutQuotes(near(rightAfterText)))
}

/** A page that was asked for by another address, or holds nothing but the form. */
function asksToLogIn(requested: URL, url: URL, { asksForPassword, text, title, heading }: ReadDocument): boolean {
  const sentThere = loginAddress.test(url.pathname) && !loginAddress.test(requested.pathname)
  const isTitled = loginTitle.test(title ?? '') || loginTitle.test(heading ?? '')
  return asksForPassword ? sentThere || isTitled || lettersIn(text) < leastLetters * 2 : sentThere && isTitled
}

/** An article that is gone often leads to the front page. */
function isFrontPage({ pathname, search }: URL): boolean {
  return pathname === '/' && search === ''
}

function depthOf({ pathname }: URL): number {
  return pathname.split('/').filter(Boolean).length
}

function lettersIn(text: string): number {
  return text.slice(0, lookedAt).match(/\p{L}/gu)?.length ?? 0
}
