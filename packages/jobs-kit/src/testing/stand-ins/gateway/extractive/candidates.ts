import { type Data, isObject } from './data.ts'
import { isCandidates } from './passages.ts'
import type { Sentence } from './sentences.ts'

/** Something that an answer may refer to by its number. */
export interface Candidate {
  ref: string
  name: string
  isPerson: boolean
  /** How often the text names it. */
  count: number
  /** Where it does first. */
  sentence: Sentence | undefined
}

/** Every list in the data whose items have a `ref`, whatever it is called. */
export function readCandidates(data: Data): Candidate[] {
  const lists = Object.entries(data).flatMap(([key, value]) => {
    if (isCandidates(value)) return value.map((item) => toCandidate(item, /people|person/i.test(key)))
    return isObject(value) ? readCandidates(value) : []
  })
  return lists.filter(({ name }) => name !== '')
}

/** Those that the text names. */
export function findCandidates(candidates: readonly Candidate[], sentences: readonly Sentence[]): Candidate[] {
  const found = candidates.map((candidate) => {
    const named = sentencesNaming(candidate.name, sentences)
    return { ...candidate, count: named.length, sentence: named[0] }
  })
  return found.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count || (a.sentence?.index ?? 0) - (b.sentence?.index ?? 0))
}

/** The sentences that name something. */
function sentencesNaming(name: string, sentences: readonly Sentence[]): Sentence[] {
  const pattern = patternOf(name)
  return sentences.filter(({ text }) => pattern.test(text))
}

/** Whether a text names something. */
export function mentions(text: string, name: string): boolean {
  return patternOf(name).test(text)
}

/** By whole words, in any case, with an ending of Norwegian or English. */
function patternOf(name: string): RegExp {
  const escaped = name
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+')
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?:['’]?s|en|et|a|er|ar|ene|ane)?(?![\\p{L}\\p{N}])`, 'iu')
}

function toCandidate(item: Data, isPerson: boolean): Candidate {
  const name = [item.name, item.title, item.label, item.text].find((value) => typeof value === 'string')
  const kind = [item.kind, item.type].find((value) => typeof value === 'string')
  return {
    ref: String(item.ref),
    name: typeof name === 'string' ? name : '',
    isPerson: isPerson || /^person/i.test(String(kind ?? '')),
    count: 0,
    sentence: undefined,
  }
}
