import type { Passage } from './passages.ts'
import { bestSentences, type Sentence } from './sentences.ts'
import { contentWords, stem } from './words.ts'

/** A stretch of the source that keeps to something. */
export interface Chapter {
  /** The number of its first passage. */
  n: number
  /** Its best sentence. */
  sentence: Sentence | undefined
}

const passagesPerChapter = 6
const maxChapters = 8
const window = 3

/** Cuts the source where the words change most. The first chapter begins with the first passage. */
export function findChapters(passages: readonly Passage[], sentences: readonly Sentence[]): Chapter[] {
  const wanted = Math.min(maxChapters, Math.max(1, Math.round(passages.length / passagesPerChapter)))
  const stems = passages.map(({ text }) => new Set(contentWords(text).map(stem)))
  const cuts = stems.map((_, at) => ({ at, likeness: likeness(stems.slice(Math.max(0, at - window), at), stems.slice(at, at + window)) }))
  const starts = [0]
  for (const { at } of cuts.toSorted((a, b) => a.likeness - b.likeness || a.at - b.at)) {
    const far = at < passages.length - 1 && starts.every((start) => Math.abs(start - at) >= window)
    if (far && starts.length < wanted) starts.push(at)
  }
  return starts.toSorted((a, b) => a - b).flatMap((start, index, sorted) => toChapter(passages.slice(start, sorted[index + 1]), sentences))
}

function toChapter(part: readonly Passage[], sentences: readonly Sentence[]): Chapter[] {
  const inside = new Set(part.map(({ n }) => n))
  const [sentence] = bestSentences(
    sentences.filter(({ n }) => inside.has(n)),
    1,
  )
  return part[0] ? [{ n: part[0].n, sentence }] : []
}

/** Which share of the words of the smaller side the other side has too. */
function likeness(before: readonly ReadonlySet<string>[], after: readonly ReadonlySet<string>[]): number {
  const left = new Set(before.flatMap((words) => [...words]))
  const right = new Set(after.flatMap((words) => [...words]))
  return [...left].filter((word) => right.has(word)).length / Math.max(1, Math.min(left.size, right.size))
}
