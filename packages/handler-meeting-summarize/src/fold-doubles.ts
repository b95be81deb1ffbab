import type { Evidence } from './job.ts'

const mostEvidence = 12
/** Two wordings of one thing may differ in these. A preposition, a number or a "not" makes another thing of it. */
const small = new Set(
  'og å at som det den de dei en ei ein et eit vi me da då så ble blei vart blir er var and the a an we it is was that to'.split(' '),
)

interface Point {
  readonly text: string
  readonly evidence: Evidence[]
  readonly owner?: string | null
  readonly dueText?: string | null
  readonly dueDate?: string | null
}

/**
 * One of those that say the same, with the evidence of all: parts of a meeting overlap, and what was decided is said again at the end. In their order, and how many were folded. The same means: the same words in the same order;
 * or nothing but small words differ, and the same segment bears them out. Another owner or due date makes it another thing.
 */
export function foldDoubles<Item extends Point>(points: readonly Item[]): { points: Item[]; folded: number } {
  const kept: Item[] = []
  for (const point of points) {
    const at = kept.findIndex((other) => isSame(other, point))
    const same = kept[at]
    if (same) kept[at] = { ...same, evidence: joined(same.evidence, point.evidence) }
    else kept.push(point)
  }
  return { points: kept, folded: points.length - kept.length }
}

function isSame(a: Point, b: Point): boolean {
  if (ties(a) !== ties(b)) return false
  const [words, others] = [wordsOf(a.text), wordsOf(b.text)]
  if (words.join(' ') === others.join(' ')) return words.length > 0
  const isShared = a.evidence.some(({ segment }) => b.evidence.some((other) => other.segment === segment))
  return isShared && telling(words) !== '' && telling(words) === telling(others)
}

function ties({ owner, dueText, dueDate }: Point): string {
  return JSON.stringify([owner ?? null, wordsOf(dueText ?? ''), dueDate ?? null])
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+|[-+%]/gu) ?? []
  )
}

function telling(words: readonly string[]): string {
  return words.filter((word) => !small.has(word)).join(' ')
}

function joined(evidence: readonly Evidence[], more: readonly Evidence[]): Evidence[] {
  const all = new Map([...evidence, ...more].map((each) => [`${each.segment} ${each.quote}`, each]))
  return [...all.values()].slice(0, mostEvidence)
}
