import type { RoughSegment, SuspectReason } from './segment.ts'

/** A segment on its way, with what it was. */
export interface Draft {
  startMs: number
  endMs: number
  readonly text: string
  readonly rough: RoughSegment
  readonly suspect: Set<SuspectReason>
}
