import type { SegmentPart } from './segment-part.ts'

/** How much of a transcript went into a result. */
export interface Coverage {
  /** Segments that were read whole. */
  readonly covered: number
  readonly total: number
  /** The others: numbers of first and last. */
  readonly missing: readonly (readonly [first: number, last: number])[]
}

/**
 * What of a transcript was read, when of its parts some were. A segment counts when all parts that hold some of it were; what a part only repeats
 * does not count for it.
 */
export function coverageOf(parts: readonly SegmentPart[], wasRead: (part: SegmentPart, index: number) => boolean): Coverage {
  const read = new Map<number, boolean>()
  for (const [index, part] of parts.entries()) {
    const done = wasRead(part, index)
    for (const { segment } of part.segments.slice(part.overlap)) read.set(segment, done && read.get(segment) !== false)
  }
  const missing: [number, number][] = []
  for (const [segment, done] of read) {
    const last = missing.at(-1)
    if (done) continue
    if (last?.[1] === segment - 1) last[1] = segment
    else missing.push([segment, segment])
  }
  const lost = missing.reduce((count, [first, last]) => count + last - first + 1, 0)
  return { covered: read.size - lost, total: read.size, missing }
}
