import type { JsonObject } from '../../json-object.ts'

/** Candidates as a model sees them, and the way back. */
export interface NumberedCandidates<Item> {
  /** For the data of a prompt: `ref` (`T1`, `T2`, …) and what `show` gave, in order. */
  readonly list: readonly ({ readonly ref: string } & JsonObject)[]
  /** The candidate a model meant; undefined for anything that is not the number of one. */
  resolve(ref: unknown): Item | undefined
}

/**
 * Numbers what a model may choose from, so that ids never pass through it: it cannot invent one, nor be talked into one from elsewhere. `show` says what
 * it sees of each: a name, never an id. `prefix` (default `T`) keeps several lists apart.
 */
export function numberCandidates<Item>(items: readonly Item[], show: (item: Item) => JsonObject, prefix = 'T'): NumberedCandidates<Item> {
  const byRef = new Map(items.map((item, index) => [`${prefix}${index + 1}`, item]))
  const list = Array.from(byRef, ([ref, item]) => {
    const { ref: _, ...shown } = show(item)
    return { ref, ...shown }
  })
  return Object.freeze({ list, resolve: (ref: unknown) => (typeof ref === 'string' ? byRef.get(ref.trim()) : undefined) })
}
