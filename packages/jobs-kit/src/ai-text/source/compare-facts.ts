import { findDays } from './find-days.ts'
import { findNames } from './find-names.ts'
import { findNumbers, type SaidNumber } from './find-numbers.ts'

/** What a text says that another does not: numbers as they are compared (`1500`, `3.5`, `-5`), names as they are written, weekdays and months in one spelling. Each once. */
export interface FactChanges {
  readonly lostNumbers: readonly string[]
  readonly newNumbers: readonly string[]
  readonly lostNames: readonly string[]
  readonly newNames: readonly string[]
  readonly lostDays: readonly string[]
  readonly newDays: readonly string[]
  /** Numbers that stand with another thing or person than before: two that changed places. */
  readonly movedNumbers: readonly string[]
  /** How many words say no, before and after. */
  readonly negations: readonly [before: number, after: number]
}

/** How two texts are compared. */
export interface FactOptions {
  /** The names that are known: found in any case, also where they begin a sentence. */
  readonly names?: readonly string[]
  /** Each number and day as often as before. Without: what is there at all counts. */
  readonly isCounted?: boolean
  /** Words with a capital that begin a sentence may be names, too. */
  readonly withStarts?: boolean
}

const WORD = /\p{L}[\p{L}\p{M}'’-]*/gu
const NEGATION =
  /(?<![\p{L}\p{N}])(?:ikke|ikkje|ingen|inga|inkje|ingenting|intet|aldri|uten|utan|verken|hverken|korkje|not|never|none|without|cannot|\p{L}+n['’]t)(?![\p{L}\p{N}])/giu
/** Not seen, and no part of a number or name. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const leastLetters = 4

/**
 * Compares the numbers, names, days and negations of a text with those of one made of it, which should say the same: cleaned dictation, neutral wording. Numbers may stand
 * in digits or in words, names with a genitive's s.
 */
export function compareFacts(
  before: string,
  after: string,
  { names = [], isCounted = true, withStarts = false }: FactOptions = {},
): FactChanges {
  const [old, young] = [readText(before), readText(after)]
  const small = new Set([...old.words, ...young.words].filter((word) => word === word.toLowerCase()))
  const [oldNames, youngNames] = [namesOf(old, { names, small, withStarts }), namesOf(young, { names, small, withStarts })]
  const lostNumbers = lacking(old.numbers, young.numbers, isCounted)
  const newNumbers = lacking(young.numbers, old.numbers, isCounted)
  return {
    ...{ lostNumbers, newNumbers },
    lostNames: [...oldNames.told.values()].filter((name) => !hasName(young, youngNames, name)),
    newNames: [...youngNames.told.values()].filter((name) => !hasName(old, oldNames, name)),
    lostDays: lackingDays(old.days, young.days, isCounted),
    newDays: lackingDays(young.days, old.days, isCounted),
    movedNumbers: movedNumbers(companyOf(old, oldNames), companyOf(young, youngNames), new Set([...lostNumbers, ...newNumbers])),
    negations: [old.negations, young.negations],
  }
}

interface Text {
  readonly text: string
  readonly words: ReadonlySet<string>
  /** In small letters. */
  readonly lower: ReadonlySet<string>
  readonly numbers: readonly SaidNumber[]
  readonly days: readonly string[]
  readonly negations: number
}

function readText(given: string): Text {
  const text = given.replace(UNSEEN, '').normalize('NFKC')
  const words = new Set(text.match(WORD))
  return {
    ...{ text, words, lower: new Set(Array.from(words, lowered)) },
    ...{ numbers: findNumbers(text), days: findDays(text), negations: text.match(NEGATION)?.length ?? 0 },
  }
}

interface Names {
  /** What is told when the other text lacks it, as it is written first, by the same in small letters. */
  readonly told: ReadonlyMap<string, string>
  /** Whatever may be a name. */
  readonly all: ReadonlySet<string>
}

function namesOf(
  text: Text,
  { names, small, withStarts }: { names: readonly string[]; small: ReadonlySet<string>; withStarts: boolean },
): Names {
  const { within, starting } = findNames(text.text, small)
  const known = names
    .flatMap((name) => name.normalize('NFKC').match(WORD) ?? [])
    .filter((word) => formsOf(lowered(word)).some((form) => text.lower.has(form)))
  const told = [...within, ...(withStarts ? starting : []), ...known]
  return {
    told: new Map(told.toReversed().map((name) => [lowered(name).replace(/['’]?s$|['’]$/, ''), name])),
    all: new Set([...within, ...starting, ...known].map(lowered)),
  }
}

/** As it is written, with a genitive's s, or without one where that is a name, too: Hans is no "han". */
function hasName({ lower }: Text, { all }: Names, name: string): boolean {
  const word = lowered(name)
  const bare = word.replace(/['’]?s$|['’]$/, '')
  return formsOf(word).some((form) => lower.has(form)) || all.has(bare)
}

function formsOf(word: string): string[] {
  return [word, `${word}s`, `${word}'s`, `${word}’s`]
}

function lowered(word: string): string {
  return word.replace(/['’-]+$/, '').toLowerCase()
}

/** Of the first those that the second has fewer of; "en" may be the number one, but need not. */
function lacking(numbers: readonly SaidNumber[], there: readonly SaidNumber[], isCounted: boolean): string[] {
  const sure = countOf(numbers.filter(({ isVague }) => !isVague).map(({ value }) => value))
  const all = countOf(there.map(({ value }) => value))
  return [...sure].filter(([value, count]) => (all.get(value) ?? 0) < (isCounted ? count : 1)).map(([value]) => value)
}

function lackingDays(days: readonly string[], there: readonly string[], isCounted: boolean): string[] {
  const all = countOf(there)
  return [...countOf(days)].filter(([day, count]) => (all.get(day) ?? 0) < (isCounted ? count : 1)).map(([day]) => day)
}

function countOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The numbers by the word that follows them and by the name before them in their sentence. */
function companyOf({ text, numbers }: Text, { all }: Names): Map<string, Set<string>> {
  const company = new Map<string, Set<string>>()
  const add = (key: string, value: string) => company.set(key, (company.get(key) ?? new Set()).add(value))
  for (const [at, { value, from, to, isVague }] of numbers.entries()) {
    if (isVague) continue
    const [next = ''] = /^[ \u00a0]?\p{L}+/u.exec(text.slice(to, to + 40)) ?? []
    if (next.trim().length >= leastLetters) add(next.trim().toLowerCase(), value)
    const before = text.slice(Math.max(numbers[at - 1]?.to ?? 0, from - 200), from)
    const name = before
      .split(/[.!?\n]/)
      .at(-1)
      ?.match(WORD)
      ?.map(lowered)
      .findLast((word) => all.has(word))
    if (name !== undefined) add(`name ${name}`, value)
  }
  return company
}

/** Where the same company has another number than before, and neither is lost or new: then they were somebody else's. */
function movedNumbers(
  before: ReadonlyMap<string, ReadonlySet<string>>,
  after: ReadonlyMap<string, ReadonlySet<string>>,
  told: ReadonlySet<string>,
): string[] {
  const moved = new Set<string>()
  for (const [key, values] of after) {
    const old = before.get(key) ?? new Set()
    const [gone, come] = [[...old].filter((value) => !values.has(value)), [...values].filter((value) => !old.has(value))]
    if (gone.length === come.length && ![...gone, ...come].some((value) => told.has(value))) for (const value of come) moved.add(value)
  }
  return [...moved]
}
