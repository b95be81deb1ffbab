import { countSuspects, type Segment } from '@sidelinja/jobs-kit'
import type { Result } from './job.ts'

/** Segments in numbers. */
export function describeSegments(segments: readonly Segment[]): Pick<Result, 'segments' | 'mended' | 'suspect'> {
  return { segments: segments.length, mended: segments.filter(({ raw }) => raw !== null).length, suspect: countSuspects(segments) }
}
