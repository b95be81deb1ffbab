import type { Verdict } from './weigh.ts'

/** What being gentle means. Each may be left out. */
export interface GentleActions {
  /** Another transcription server, with fewer threads, is used then. Default none: the same one. */
  url: URL | undefined
  /** Sent along as the field `threads`; servers that do not know it ignore it. Default 2. */
  threads: number | undefined
  /** So many pieces at once in this process; others wait for their turn. Default 1. */
  concurrency: number | undefined
  /** No piece waits longer for its turn, in milliseconds; then it begins all the same, gently. Default 15 min. */
  maxTurnMs: number
  /** Jobs of lower priority than 10 are put off by so many milliseconds while a room is in use. Default none: they go on gently. */
  deferMs: number | undefined
  /** No job is put off that was enqueued so long ago, in milliseconds. Default 2 h. */
  maxDeferMs: number
}

/** A piece of work that would begin now. */
export interface Work {
  /** The job's. From 10 on somebody waits for it, and it is never put off. */
  priority: number
  /** How long ago the job was enqueued, by the database's clock, in milliseconds. */
  ageMs: number
  /** Told once when the piece must wait for its turn, and why. */
  onWait?: (reason: string) => void
}

/** Somebody waits for it. */
const urgentPriority = 10
/** The queue’s own lower bound. */
const shortestDeferMs = 1_000

/** How long to put the job off, in milliseconds; undefined when it goes on. Never beyond the age that was promised, and never on a guess. */
export function deferral(verdict: Verdict, { priority, ageMs }: Work, { deferMs, maxDeferMs }: GentleActions): number | undefined {
  const leftMs = maxDeferMs - ageMs
  if (deferMs === undefined || !verdict.roomIsOpen || priority >= urgentPriority || leftMs < shortestDeferMs) return undefined
  return Math.max(shortestDeferMs, Math.min(deferMs, leftMs))
}
