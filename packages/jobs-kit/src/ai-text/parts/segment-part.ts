import type { JsonObject } from '../../json-object.ts'

/** A segment as a model sees it. `segment` counts from 1: no model takes it for "none", as it does 0. */
export interface NumberedSegment extends JsonObject {
  readonly segment: number
  readonly text: string
}

/** A part of a transcript that fits into one question. */
export interface SegmentPart {
  /** In order. A segment that is too long for one part stands in several, each time with a piece of its text. */
  readonly segments: readonly NumberedSegment[]
  /** How many at the beginning are there for the context only: the part before has them too. */
  readonly overlap: number
  /** An estimate, on the high side. */
  readonly tokens: number
}
