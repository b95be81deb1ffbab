import { cosine } from '@sidelinja/jobs-kit'
import { letterLikeness } from './letter-likeness.ts'

/** What is farther apart deals with different things, whichever model says so. */
const leastSimilarity = 0.3
const leastLikeness = 0.15
/** Of each question, so many of the other questions and of the statements are asked about: the nearest by meaning, and by letters. docs/decisions has the figures. */
const mostQuestions = { meaning: 5, letters: 5 }
const mostStatements = { meaning: 3, letters: 3 }

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

/**
 * The pairs that a model is asked about: of questions with each other, and with statements that are there; of each question the nearest few of both. By rank, since every model has a scale of its own, on which the same cosine says “the same” or nothing.
 * The nearest come first.
 */
export function blockPairs(questions: readonly Placed[], statements: readonly Placed[]): Pair[] {
  const alike = letterLikeness([...questions, ...statements].map(({ text }) => text))
  const chosen = new Map<string, Pair>()
  for (const [index, a] of questions.entries()) {
    const others = [...questions.slice(0, index), ...questions.slice(index + 1)]
    for (const [among, most] of [[others, mostQuestions] as const, [statements, mostStatements] as const]) {
      for (const b of nearestOf(a, among, { most, alike })) {
        const key = [a.id, b.id].toSorted().join()
        if (!chosen.has(key)) chosen.set(key, { a, b, similarity: cosine(a.vector, b.vector) })
      }
    }
  }
  return [...chosen.values()].toSorted((x, y) => y.similarity - x.similarity)
}

interface Nearness {
  readonly most: { readonly meaning: number; readonly letters: number }
  readonly alike: (a: string, b: string) => number
}

function nearestOf(a: Placed, others: readonly Placed[], { most, alike }: Nearness): Placed[] {
  const best = (count: number, least: number, nearness: (b: Placed) => number) =>
    others
      .map((b) => ({ b, near: nearness(b) }))
      .filter(({ near }) => near >= least)
      .toSorted((x, y) => y.near - x.near)
      .slice(0, count)
      .map(({ b }) => b)
  return [
    ...best(most.meaning, leastSimilarity, (b) => cosine(a.vector, b.vector)),
    ...best(most.letters, leastLikeness, (b) => alike(a.text, b.text)),
  ]
}
