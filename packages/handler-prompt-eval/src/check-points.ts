import { isBlank, keepOnlyLinksOf, quoteOccurs, type Segment } from '@sidelinja/jobs-kit'
import type { z } from 'zod'
import type { Point } from './job.ts'
import type { pointsReply } from './questions.ts'

type NamedPoint = z.output<typeof pointsReply>['points'][number]

/**
 * Takes nothing on trust: points in segments that do not exist, quotes that nobody said, and titles that say nothing, are left out and counted. Links that
 * nobody said lose their address.
 */
export function checkPoints(named: readonly NamedPoint[], segments: readonly Segment[]): { points: Point[]; dropped: number } {
  const whole = segments.map(({ text }) => text).join(' ')
  const points = named.flatMap(({ segment, title, quote }) => {
    const at = segments[segment - 1]
    const plain = keepOnlyLinksOf(title, whole).trim()
    if (at === undefined || isBlank(plain) || !quoteOccurs(quote, around(segments, segment - 1))) return []
    return [{ startMs: at.startMs, title: plain, quote: keepOnlyLinksOf(quote, whole) }]
  })
  return { points: points.toSorted((a, b) => a.startMs - b.startMs), dropped: named.length - points.length }
}

/** A recogniser may cut a sentence in two. */
function around(segments: readonly Segment[], index: number): string {
  return segments
    .slice(Math.max(0, index - 1), index + 2)
    .map(({ text }) => text)
    .join(' ')
}
