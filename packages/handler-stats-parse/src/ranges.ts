const MOST_INTERVALS = 256

/**
 * Adds `start` (inclusive) to `end` (exclusive) to a union of byte ranges, in place. The union is a flat list, start and end in
 * turn, sorted, nothing touching. It holds at most 256 ranges: a new one beyond that is dropped, which can only count too little.
 */
export function addRange(union: number[], start: number, end: number): void {
  if (start >= end) return
  let from = 0
  while (from < union.length && (union[from + 1] ?? 0) < start) from += 2
  let to = from
  let low = start
  let high = end
  for (; to < union.length && (union[to] ?? 0) <= end; to += 2) {
    low = Math.min(low, union[to] ?? low)
    high = Math.max(high, union[to + 1] ?? high)
  }
  if (from === to && union.length >= MOST_INTERVALS * 2) return
  union.splice(from, to - from, low, high)
}
