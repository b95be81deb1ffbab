import type { Sentence } from './sentences.ts'
import { contentWords, stem } from './words.ts'

/** A word that the text comes back to. */
export interface Keyword {
  word: string
  count: number
  /** Where first. */
  sentence: Sentence
}

/** The words that most sentences hold, in the form that is most common. */
export function findKeywords(sentences: readonly Sentence[]): Keyword[] {
  const found = new Map<string, { forms: Map<string, number>; count: number; sentence: Sentence }>()
  for (const sentence of sentences) {
    const words = contentWords(sentence.text).filter((word) => word.length > 3 && !/\p{N}/u.test(word))
    for (const word of new Set(words)) {
      const entry = found.get(stem(word)) ?? { forms: new Map<string, number>(), count: 0, sentence }
      entry.count += 1
      entry.forms.set(word, (entry.forms.get(word) ?? 0) + 1)
      found.set(stem(word), entry)
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.count - a.count || a.sentence.index - b.sentence.index)
    .map(({ forms, count, sentence }) => ({ word: mostCommon(forms), count, sentence }))
}

function mostCommon(forms: ReadonlyMap<string, number>): string {
  return [...forms].reduce((best, form) => (form[1] > best[1] ? form : best), ['', 0] as [string, number])[0]
}
