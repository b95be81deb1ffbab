import { parkPausedJobs } from '../queue/park-paused-jobs.ts'
import { unparkJobs } from '../queue/unpark-jobs.ts'
import { type Repetition, repeat } from './repeat.ts'
import type { Runtime } from './runtime.ts'

const intervalMs = 1_000
/** Also when nothing seems to be paused: what a worker left behind that died in the middle is not forgotten. */
const anywayMs = 60_000
const maxPerType = 2_000
const maxPerGroup = 2_000

export interface PauseWatch extends Repetition {
  /** What the newest claim saw: whether some collection is paused. */
  saw(collectionPaused: boolean): void
}

/**
 * Keeps jobs of paused collections out of the claims' way: while some collection is paused they stand aside as they come to the head of the
 * queue, a bounded number at a time, and when that ends they come back in their order.
 * @param wake called when jobs came back.
 */
export function startPauseWatch({ queue, settings }: Runtime, wake: () => void): PauseWatch {
  const types = [...settings.handlers.keys()]
  let paused = false
  /** Something may stand aside that is to come back: a worker before this one may have left it. */
  let mayBeParked = true
  let lookedAt = 0
  const watch = repeat(
    intervalMs,
    async () => {
      if (!paused && !mayBeParked && performance.now() - lookedAt < anywayMs) return
      lookedAt = performance.now()
      const parked = paused ? await parkPausedJobs(queue, types, maxPerType) : 0
      const { released, more } = await unparkJobs(queue, maxPerGroup)
      mayBeParked = more
      if (released > 0) wake()
      if (parked + released > 0) watch.soon()
    },
    // The claim loop reports a database that is away.
    () => {},
  )
  return {
    saw(collectionPaused) {
      if (collectionPaused === paused) return
      paused = collectionPaused
      mayBeParked = true
      watch.soon()
    },
    stop: watch.stop,
  }
}
