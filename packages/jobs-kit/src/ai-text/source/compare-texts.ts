import { norwegianForm } from '../language/norwegian-form.ts'
import { compareFacts } from './compare-facts.ts'

/**
 * Something to look at before a text is used that a model made of another: a number or name that is gone or new, a part that became much shorter or longer, another form of Norwegian.
 * `more`: so many others of any kind.
 */
export interface TextChange {
  readonly kind: 'lost_number' | 'new_number' | 'lost_name' | 'new_name' | 'length' | 'language' | 'more'
  readonly text: string
}

const mostListed = 200
/** One of fewer characters may be fillers all, and as long as one of so many. */
const leastCharacters = 60

/**
 * What a text says that the one made of it does not, and the other way round. Without `ratio` it may leave out, but not add; with it the two say the same, and `ratio` is how much shorter and
 * longer it may become. `names` are known ones.
 */
export function compareTexts(
  before: string,
  after: string,
  { names, ratio }: { names: readonly string[]; ratio?: readonly [least: number, most: number] | undefined },
): TextChange[] {
  const { lostNumbers, newNumbers, lostNames, newNames } = compareFacts(before, after, names)
  return [
    ...(ratio ? [...list('lost_number', lostNumbers), ...list('lost_name', lostNames), ...compareLengths(before, after, ratio)] : []),
    ...list('new_number', newNumbers),
    ...list('new_name', newNames),
  ]
}

/** Another form of Norwegian than that of the source. */
export function compareLanguages(before: string, after: string): TextChange[] {
  const [expected, got] = [norwegianForm(before), norwegianForm(after)]
  return expected !== null && got !== null && expected !== got ? [{ kind: 'language', text: `${expected} → ${got}` }] : []
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
  const tooShort = from >= leastCharacters && to < from * least
  if (!tooShort && to <= Math.max(from, leastCharacters) * most) return []
  return [{ kind: 'length', text: `${from} → ${to}: ${before.trim().slice(0, 60)}` }]
}
