/** Of so many rows a statement consists at most. */
export const BATCH_ROWS = 1000

/** In pieces of a statement's size. */
export function* batches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH_ROWS) yield items.slice(start, start + BATCH_ROWS)
}
