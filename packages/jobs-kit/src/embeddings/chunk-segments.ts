import { splitSegments } from '../ai-text/parts/split-segments.ts'
import type { Segment } from '../subtitles/segment.ts'
import type { Chunk } from './chunk.ts'
import { showsNothing } from './shows-nothing.ts'

/** A transcript in chunks of at most about so many estimated tokens, parted between segments, with their times. Each begins with the last segment of the one before, where that is short. */
export function chunkSegments(segments: readonly Pick<Segment, 'text' | 'startMs' | 'endMs'>[], chunkTokens: number): Chunk[] {
  const spoken = segments.filter(({ text }) => !showsNothing(text))
  const parts = splitSegments(
    spoken.map(({ text }) => ({ text })),
    { budgetTokens: chunkTokens, overlapSegments: 1 },
  )
  return parts.map(({ segments: numbered }) => {
    const times = numbered.flatMap(({ segment }) => spoken[segment - 1] ?? [])
    return {
      text: numbered.map(({ text }) => text.trim()).join(' '),
      startMs: times.length > 0 ? Math.min(...times.map(({ startMs }) => startMs)) : null,
      endMs: times.length > 0 ? Math.max(...times.map(({ endMs }) => endMs)) : null,
    }
  })
}
