import type { Passage } from './passages.ts'
import { contentWords, stem } from './words.ts'

/** A sentence, letter for letter as it stands in its passage. */
export interface Sentence {
  /** The number of its passage. */
  n: number
  text: string
  /** Its place among all sentences. */
  index: number
  /** How much of what the text is about it holds: from 0, 1 for the best. */
  score: number
}

/** All sentences with their scores. A sentence counts for much when its words are common in the whole text. */
export function rankSentences(passages: readonly Passage[]): Sentence[] {
  const sentences = passages.flatMap(({ n, text }) => splitSentences(text).map((sentence) => ({ n, text: sentence })))
  const stems = sentences.map(({ text }) => contentWords(text).map(stem))
  const counts = new Map<string, number>()
  for (const word of stems.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const raw = stems.map((words, index) => weigh(words, counts) * (index === 0 ? 1.2 : 1))
  const best = Math.max(...raw, Number.MIN_VALUE)
  return sentences.map((sentence, index) => ({ ...sentence, index, score: (raw[index] ?? 0) / best }))
}

/** The best, so many at most, in the order of the text; the same sentence only once. */
export function bestSentences(sentences: readonly Sentence[], count: number): Sentence[] {
  const seen = new Set<string>()
  const ranked = sentences.toSorted((a, b) => b.score - a.score || a.index - b.index)
  const distinct = ranked.filter(({ text }) => !seen.has(text.toLowerCase()) && seen.add(text.toLowerCase()))
  return distinct.slice(0, count).toSorted((a, b) => a.index - b.index)
}

/** Sentences end at . ! ? or … before a space; not after a number or an initial, as in "12. mai". A line without an end before one that begins anew is a heading. */
function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[\p{L}\p{N})])[ \t]*\n\s*(?=\p{Lu})/u)
    .flatMap((block) => splitBlock(block))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

function splitBlock(block: string): string[] {
  return block.split(
    /(?<=[.!?…]["»”’)]?)(?<!(?<![\p{L}\p{N}])(?:\p{N}{1,3}|\p{Lu}|ca|bl\.a|f\.eks|kl|nr|Dr|Mr|Mrs|Ms)\.)\s+(?=["«“‘(–-]?\s?[\p{Lu}\p{N}])/u,
  )
}

function weigh(stems: readonly string[], counts: ReadonlyMap<string, number>): number {
  const distinct = new Set(stems)
  const sum = [...distinct].reduce((total, word) => total + Math.sqrt((counts.get(word) ?? 1) - 0.5), 0)
  // Longer sentences hold more, but not without end.
  return sum / Math.sqrt(Math.max(distinct.size, 6))
}
