/** So many pairs, or questions, are asked about at once. */
const batchSize = 10

/** In pieces that fit into one question each, numbered from 1. */
export function* batchesOf<T>(items: readonly T[]): Generator<[number, T[]]> {
  for (let start = 0; start < items.length; start += batchSize) yield [start / batchSize + 1, items.slice(start, start + batchSize)]
}
