import { writtenLanguage } from '../language/norwegian-form.ts'
import { compareFacts } from './compare-facts.ts'

/**
 * Something to look at before a text is used that a model made of another: a number, name, weekday or month that is gone or new, numbers that changed places, a negation more or less, a part
 * that became much shorter or longer, another language or form of Norwegian. `more`: so many others of any kind.
 */
export interface TextChange {
  readonly kind:
    | 'lost_number'
    | 'new_number'
    | 'lost_name'
    | 'new_name'
    | 'lost_day'
    | 'new_day'
    | 'moved_number'
    | 'negation'
    | 'length'
    | 'language'
    | 'more'
  readonly text: string
}

const mostListed = 200
/** One of fewer characters may be fillers for the most part, and become as long as one of so many. */
const leastCharacters = 60
/** So many words of Norwegian hardly go without one that tells its form. */
const leastWordsOfForm = 15
/** Of such a one that has so many words besides the fillers a quarter of them is left at least. */
const leastWords = 3
const leastOfWords = 0.25
const filler = /^(?:e+h+m?|ø+h*m*|ehm+|m?hm+|u+h*m*|ah|altså|liksom|på|en|ein|måte|ja|jo|da|då|så|nå|no|vel|ok|okei|well|so|like|yes|yeah)$/

/**
 * What a text says that the one made of it does not, and the other way round. Without `ratio` it may leave out, but not add; with it the two say the same, and `ratio` is how much shorter and
 * longer it may become. `names` are known ones.
 */
export function compareTexts(
  before: string,
  after: string,
  { names, ratio }: { names: readonly string[]; ratio?: readonly [least: number, most: number] | undefined },
): TextChange[] {
  const facts = compareFacts(before, after, { names, isCounted: ratio !== undefined, withStarts: ratio !== undefined })
  const [noes, noesAfter] = facts.negations
  return [
    ...(ratio
      ? [...list('lost_number', facts.lostNumbers), ...list('lost_name', facts.lostNames), ...list('lost_day', facts.lostDays)]
      : []),
    ...(ratio ? compareLengths(before, after, ratio) : []),
    ...list('new_number', facts.newNumbers),
    ...list('new_name', facts.newNames),
    ...list('new_day', facts.newDays),
    ...(ratio ? list('moved_number', facts.movedNumbers) : []),
    ...(ratio && noes !== noesAfter ? list('negation', [`${noes} → ${noesAfter}`]) : []),
  ]
}

/**
 * Another language or form of Norwegian than that of the source. Told where one of them is Norwegian: the other form (`nb → nn`), another language (`nb → ?`, `? → nb`), and of a longer text also one of which nothing says that it is the same, as one in
 * both forms.
 */
export function compareLanguages(before: string, after: string): TextChange[] {
  const [expected, got] = [writtenLanguage(before), writtenLanguage(after)]
  if (expected === null || expected === got) return []
  if (got === null && (expected === 'other' || (after.match(/\p{L}+/gu)?.length ?? 0) < leastWordsOfForm)) return []
  return [{ kind: 'language', text: `${nameOf(expected)} → ${nameOf(got)}` }]
}

function nameOf(language: ReturnType<typeof writtenLanguage>): string {
  return language === null || language === 'other' ? '?' : language
}

/** Each once, and no more than can be looked at: 200. */
export function listChanges<Change extends { readonly kind: string; readonly text: string }>(
  all: readonly Change[],
): (Change | { kind: 'more'; text: string })[] {
  const once = [...new Map(all.map((each) => [`${each.kind} ${each.text}`, each])).values()]
  if (once.length <= mostListed) return once
  const listed = once.slice(0, mostListed - 1)
  return [...listed, { kind: 'more', text: String(once.length - listed.length) }]
}

/** True for a text that is no other wording of its source, whatever else may be right in it. */
export function isUnlike(changes: readonly { readonly kind: string }[]): boolean {
  return changes.some(({ kind }) => kind === 'length' || kind === 'language')
}

function list(kind: TextChange['kind'], facts: readonly string[]): TextChange[] {
  return facts.map((fact) => ({ kind, text: fact.slice(0, 100) }))
}

function compareLengths(before: string, after: string, [least, most]: readonly [number, number]): TextChange[] {
  const [from, to] = [before.trim().length, after.trim().length]
  const tooShort = from >= leastCharacters ? to < from * least : isNearlyGone(before, after)
  if (!tooShort && to <= Math.max(from, leastCharacters) * most) return []
  return [{ kind: 'length', text: `${from} → ${to}: ${before.trim().slice(0, 60)}` }]
}

function isNearlyGone(before: string, after: string): boolean {
  const [from, to] = [wordsBesidesFillers(before), wordsBesidesFillers(after)]
  return from >= leastWords && to < from * leastOfWords
}

function wordsBesidesFillers(text: string): number {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !filler.test(word)).length
}
