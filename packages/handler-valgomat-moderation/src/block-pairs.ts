import { cosine } from '@sidelinja/jobs-kit'

/** Texts below that are not asked about: they deal with different things. */
const leastSimilarity = 0.8
const mostPairsOfQuestion = 10

/** A text and its vector. */
export interface Placed {
  readonly id: string
  readonly text: string
  readonly vector: Float32Array
}

/** Two texts that may ask the same. */
export interface Pair {
  readonly a: Placed
  readonly b: Placed
  readonly similarity: number
}

/** The pairs that are near enough to be asked about: of questions with each other, and with statements that are there; of each question the nearest few. The nearest come first. */
export function blockPairs(questions: readonly Placed[], statements: readonly Placed[]): Pair[] {
  const chosen = new Map<string, Pair>()
  for (const [index, a] of questions.entries()) {
    const others = [...questions.slice(0, index), ...questions.slice(index + 1), ...statements]
    const near = others
      .map((b) => ({ a, b, similarity: cosine(a.vector, b.vector) }))
      .filter(({ similarity }) => similarity >= leastSimilarity)
      .toSorted((x, y) => y.similarity - x.similarity)
      .slice(0, mostPairsOfQuestion)
    for (const pair of near) {
      const key = [pair.a.id, pair.b.id].toSorted().join()
      if (!chosen.has(key)) chosen.set(key, pair)
    }
  }
  return [...chosen.values()].toSorted((x, y) => y.similarity - x.similarity)
}
