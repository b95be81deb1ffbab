import type { Segment } from '../subtitles/segment.ts'
import { chunkSegments } from './chunk-segments.ts'
import { chunkText } from './chunk-text.ts'
import { hashChunk } from './hash-chunk.ts'

/** What there is to read in a node. */
export interface NodeText {
  readonly title: string | null
  readonly content: string | null
  /** What is said in it, where it was transcribed. */
  readonly segments?: readonly Pick<Segment, 'text' | 'startMs' | 'endMs'>[]
}

/** A chunk as it is stored. */
export interface HashedChunk {
  readonly text: string
  readonly startMs: number | null
  readonly endMs: number | null
  /** SHA-256 of the text, and of how chunks are made. */
  readonly hash: string
}

/** All that is to be found in a node: its title with its content, then what is said in it. A text that comes twice is there once, at its first place. */
export function chunkNode({ title, content, segments = [] }: NodeText, chunkTokens: number): HashedChunk[] {
  const written = [title?.trim(), content?.trim()].filter((text) => text).join('\n\n')
  const chunks = [...chunkText(written, chunkTokens), ...chunkSegments(segments, chunkTokens)]
  const hashed = chunks.map((chunk) => ({ ...chunk, hash: hashChunk(chunk.text) }))
  return [...new Map(hashed.toReversed().map((chunk) => [chunk.hash, chunk])).values()].toReversed()
}
