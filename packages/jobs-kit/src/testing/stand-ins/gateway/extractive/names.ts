import { mentions } from './candidates.ts'
import type { Data } from './data.ts'
import type { Sentence } from './sentences.ts'
import { isStopword } from './words.ts'

/** Somebody whom the text names. */
export interface Name {
  name: string
  count: number
  /** Where first. */
  sentence: Sentence
}

const word = String.raw`\p{Lu}[\p{L}'’]*\p{Ll}(?:-\p{Lu}\p{L}+)?`
const fullName = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?:[ ](?:(?:van|von|de|af|av)[ ])?${word}){1,3}(?![\\p{L}\\p{N}])`, 'gu')
const actor = new RegExp(
  `^(${word}(?: ${word})*) (?:skal|må|tar|tek|sender|sendar|følger|følgjer|lager|lagar|will|must|should|has to|takes)(?!\\p{L})`,
  'u',
)

const titles =
  'ordfører|leder|leiar|byråd|statsminister|minister|journalist|programleder|programleiar|professor|forsker|forskar|rektor|redaktør|rådgiver|rådgjevar|mayor|host|editor|researcher|director|teacher'
const titleBefore = new RegExp(`(?<!\\p{L})(${titles})(?:en)?,?\\s+$`, 'iu')
const title = new RegExp(`^(?:${titles})$`, 'i')

/** People by their full names, by names that the data gives (`names`, `people`, `attendees`), and by a first name that does something. */
export function findNames(sentences: readonly Sentence[], data: Data): Name[] {
  const known = ['names', 'people', 'known_names', 'attendees'].flatMap((key) => stringsOf(data[key]))
  const found = new Map<string, Name>()
  for (const sentence of sentences) {
    for (const name of new Set(namesIn(sentence.text, known))) {
      const before = found.get(name)
      found.set(name, before ? { ...before, count: before.count + 1 } : { name, count: 1, sentence })
    }
  }
  return [...found.values()].filter(isNoPart).toSorted((a, b) => b.count - a.count)
}

/** The names in a sentence, in its order. */
export function namesIn(text: string, known: readonly string[] = []): string[] {
  const full = [...text.matchAll(fullName)].flatMap(([match]) => trimName(match))
  const acting = actor.exec(text)?.[1]
  return [...(acting === undefined ? [] : trimName(acting)), ...full, ...known.filter((name) => mentions(text, name))]
}

/** The title that stands before a name. */
export function roleOf(name: string, text: string): string | null {
  const before = text.slice(0, Math.max(0, text.indexOf(name)))
  return titleBefore.exec(before)?.[1]?.toLowerCase() ?? null
}

/** The first word of a sentence is large whatever it is; a genitive is no part of a name. */
function trimName(match: string): string[] {
  const words = match.replace(/['’]s$/, '').split(' ')
  while (words[0] !== undefined && (isStopword(words[0].toLowerCase()) || title.test(words[0]))) words.shift()
  const name = words.join(' ')
  return name.length > 2 ? [name] : []
}

function isNoPart({ name }: Name, _index: number, all: Name[]): boolean {
  return !all.some((other) => `${other.name}s` === name || (other.name.length > name.length && other.name.split(' ').includes(name)))
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item) => (typeof item === 'string' ? [item] : nameOf(item))) : []
}

function nameOf(item: unknown): string[] {
  const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined
  return typeof name === 'string' ? [name] : []
}
