import type { Pair, Placed } from './block-pairs.ts'

/** A pair, and what a model says about it. */
export interface DecidedPair extends Pair {
  readonly relation: 'same' | 'opposite' | 'different'
}

/** Where a question belongs. */
export interface Place {
  /** The first question of its cluster. */
  readonly clusterOf: string
  readonly duplicateOf: string | null
  readonly similarity: number | null
  readonly opposites: readonly string[]
}

/**
 * Puts questions that ask the same into one cluster, the nearest pairs first. Two that a pair says are opposites never come into one, whoever is the same as whom in between: where a model contradicts itself, what it
 * was less near to is left apart. A statement that is there makes a question a duplicate.
 */
export function clusterQuestions(questions: readonly Placed[], pairs: readonly DecidedPair[]): Map<string, Place> {
  const clusters = new Map(questions.map(({ id }) => [id, [id]]))
  const opposite = new Set(
    pairs.filter(({ relation }) => relation === 'opposite').flatMap(({ a, b }) => [`${a.id} ${b.id}`, `${b.id} ${a.id}`]),
  )
  const clash = (left: readonly string[], right: readonly string[]) =>
    left.some((one) => right.some((other) => opposite.has(`${one} ${other}`)))
  const duplicates = new Map<string, Pair>()
  for (const pair of pairs.filter(({ relation }) => relation === 'same')) {
    const [left, right] = [clusters.get(pair.a.id), clusters.get(pair.b.id)]
    if (left === undefined) continue
    if (right === undefined) {
      if (!duplicates.has(pair.a.id)) duplicates.set(pair.a.id, pair)
    } else if (left !== right && !clash(left, right)) {
      const merged = [...left, ...right]
      for (const id of merged) clusters.set(id, merged)
    }
  }
  const order = new Map(questions.map(({ id }, index) => [id, index]))
  return new Map(
    questions.map(({ id }) => {
      const [first = id] = (clusters.get(id) ?? [id]).toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
      const duplicate = duplicates.get(id)
      const opposites = pairs.flatMap(({ a, b, relation }) =>
        relation !== 'opposite' ? [] : a.id === id ? [b.id] : b.id === id ? [a.id] : [],
      )
      return [id, { clusterOf: first, duplicateOf: duplicate?.b.id ?? null, similarity: duplicate?.similarity ?? null, opposites }]
    }),
  )
}
