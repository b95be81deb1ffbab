import type { Evidence } from './job.ts'

const mostEvidence = 12
/** Of the words that one or the other has: two wordings of one thing have most of them. */
const leastShared = 0.75

interface Point {
  readonly text: string
  readonly evidence: Evidence[]
  readonly owner?: string | null
}

/** One of those that say the same, with the evidence of all: parts of a meeting overlap, and what was decided is said again at the end. In their order. */
export function foldDoubles<Item extends Point>(points: readonly Item[]): Item[] {
  const folded: { point: Item; words: ReadonlySet<string> }[] = []
  for (const point of points) {
    const words = wordsOf(point.text)
    const same = folded.find((other) => (other.point.owner ?? null) === (point.owner ?? null) && shared(other.words, words) >= leastShared)
    if (same) same.point = { ...same.point, evidence: joined(same.point.evidence, point.evidence) }
    else folded.push({ point, words })
  }
  return folded.map(({ point }) => point)
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  )
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((word) => b.has(word)).length
  const all = a.size + b.size - both
  // A "not" or another number makes another thing of the same words.
  const differs = [...a, ...b].some((word) => a.has(word) !== b.has(word) && /^(?:ikke|ikkje|not|\d+)$/.test(word))
  return all === 0 || differs ? 0 : both / all
}

function joined(evidence: readonly Evidence[], more: readonly Evidence[]): Evidence[] {
  const all = new Map([...evidence, ...more].map((each) => [`${each.segment} ${each.quote}`, each]))
  return [...all.values()].slice(0, mostEvidence)
}
