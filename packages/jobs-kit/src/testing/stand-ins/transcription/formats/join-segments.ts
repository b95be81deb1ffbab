import type { VerboseSegment } from '../transcription.ts'

/** Joins neighbours to pieces of up to 30 s, as a server does that gives one segment for each stretch of speech it has cut out. */
export function joinSegments(segments: readonly VerboseSegment[], maxSeconds = 30): VerboseSegment[] {
  const joined: VerboseSegment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    if (last === undefined || segment.end - last.start > maxSeconds) joined.push(segment)
    else {
      joined[joined.length - 1] = {
        ...last,
        end: segment.end,
        text: last.text + segment.text,
        words: [...(last.words ?? []), ...(segment.words ?? [])],
      }
    }
  }
  return joined
}
