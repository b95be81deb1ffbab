import { normalise } from './normalise.ts'

/** A longer quote is not one; and it bounds the time that a search may take. */
const MOST_CHARACTERS = 2_000
/** Of a number with blanks: more is none. */
const MOST_DIGITS = 24
const LEAST_WORDS = 3
const LETTER = /[\p{L}\p{N}]/u

/**
 * True when a source says word for word what is quoted from it. Case, blanks, kinds of quotation marks and dashes, and signs at the quote's ends may differ;
 * words may not, nor may the quote begin or end within one.
 */
export function quoteOccurs(quote: string, source: string): boolean {
  return findQuote(quote, [source]).length > 0
}

/**
 * The indexes of the texts in which a quote begins, up to ten; it may run on into those after. Texts are segments of a transcript, or paragraphs: what
 * follows upon another is read on with a blank.
 */
export function findQuote(quote: string, texts: readonly string[]): number[] {
  const wanted = wantedOf(quote)
  if (wanted === undefined) return []
  const parts = texts
    .map(normalise)
    .map((text, index) => ({ index, text }))
    .filter(({ text }) => text !== '')
  const found = new Set<number>()
  let at = 0
  let end = parts[0]?.text.length ?? 0
  for (const position of occurrences(wanted, parts.map(({ text }) => text).join(' '))) {
    while (position >= end && at < parts.length - 1) end += 1 + (parts[++at]?.text.length ?? 0)
    found.add(parts[at]?.index ?? 0)
    if (found.size === 10) break
  }
  return [...found]
}

/**
 * True when a quote stands in one of several texts, or runs on into it from the one before or out of it into the one after: a recogniser may cut a sentence in two. Some of it stands in that one: what stands
 * in a neighbour alone does not.
 */
export function quoteStandsAt(quote: string, texts: readonly string[], index: number): boolean {
  const wanted = wantedOf(quote)
  const [before = '', own = '', after = ''] = [index - 1, index, index + 1].map((at) => normalise(texts[at] ?? ''))
  if (wanted === undefined || own === '') return false
  const start = before === '' ? 0 : before.length + 1
  const whole = [before, own, after].filter((text) => text !== '').join(' ')
  for (const at of occurrences(wanted, whole)) if (at < start + own.length && at + wanted.length > start) return true
  return false
}

/** True for three words or more: fewer stand anywhere, and bear nothing out. */
export function isQuote(quote: string): boolean {
  return (quote.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0) >= LEAST_WORDS
}

function wantedOf(quote: string): string | undefined {
  const wanted = trimSigns(normalise(quote.slice(0, 2 * MOST_CHARACTERS)))
  return wanted === '' || wanted.length > MOST_CHARACTERS ? undefined : wanted
}

function* occurrences(wanted: string, whole: string): Generator<number> {
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1)) {
    if (isBorder(whole, at) && isBorder(whole, at + wanted.length)) yield at
  }
}

/** Not between two letters or digits, nor at the comma of 3,5, the blank of 240 000 and the minus of -5. */
function isBorder(text: string, at: number): boolean {
  if (/\d[.,]\d/.test(text.slice(Math.max(0, at - 2), at + 2))) return false
  const [left, right] = [text.slice(Math.max(0, at - MOST_DIGITS), at), text.slice(at, at + 5)]
  if (/(?<!\d)\d{1,3}(?: \d{3})* $/.test(left) && /^\d{3}(?!\d)/.test(right)) return false
  if (/(?<!\d)\d{1,3}(?: \d{3})*$/.test(left) && /^ \d{3}(?!\d)/.test(right)) return false
  if (/(?<![^\s("])-$/.test(left) && /^\d/.test(right)) return false
  return !(LETTER.test(before(text, at)) && LETTER.test(String.fromCodePoint(text.codePointAt(at) ?? 0)))
}

function before(text: string, at: number): string {
  const pair = /[\ud800-\udbff][\udc00-\udfff]$/.exec(text.slice(Math.max(0, at - 2), at))
  return pair?.[0] ?? text.charAt(at - 1)
}

/** Models put a quote between marks of their own and end it with a full stop, or with dots where it goes on. A minus belongs to its number. */
function trimSigns(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && (/["(\s.,;:!?]/.test(text.charAt(from)) || /^-(?!\d)/.test(text.slice(from, from + 2)))) from++
  while (from < to && /[")\s.,;:!?-]/.test(text.charAt(to - 1))) to--
  return text.slice(from, to)
}
