import type { Segment } from '@sidelinja/jobs-kit'
import type { Result } from './job.ts'

/** Segments in numbers. */
export function describeSegments(segments: readonly Segment[]): Pick<Result, 'segments' | 'mended' | 'suspect'> {
  const suspect: Record<string, number> = {}
  for (const reason of segments.flatMap((segment) => segment.suspect)) suspect[reason] = (suspect[reason] ?? 0) + 1
  return { segments: segments.length, mended: segments.filter(({ raw }) => raw !== null).length, suspect }
}
