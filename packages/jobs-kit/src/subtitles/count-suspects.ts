import type { Segment } from './segment.ts'

/** How many segments look wrong, by reason; for the result of a job. */
export function countSuspects(segments: readonly Segment[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of segments.flatMap(({ suspect }) => suspect)) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
