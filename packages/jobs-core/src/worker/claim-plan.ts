/** A job may be claimed ahead of a free slot only if it starts within this time. */
const PREFETCH_MS = 20
const maxPrefetch = 1_000
/** Durations below this are noise: a no-op job is not infinitely fast. */
const minDurationMs = 0.02

export interface PipelineState {
  slots: number
  running: number
  /** Claimed and free to start, waiting for a slot. */
  startable: number
  /** Claimed ahead; their flag must be cleared before they start. */
  prefetched: number
  /** Average duration of recent runs; undefined before the first. */
  averageMs: number | undefined
  /** How long the longest of the running jobs has been running; 0 when none runs. */
  longestMs: number
}

export interface ClaimPlan {
  /** How many prefetched jobs to clear for starting in this trip. */
  start: number
  /** How many rows to claim. */
  claim: number
  /** How many of those start at once. */
  freeSlots: number
  /**
   * Whether a round trip is due for that alone: a slot is free, or half of what is held ahead is gone. A trip costs the same for one job as for
   * a hundred; what is settled meanwhile takes the rest along.
   */
  due: boolean
}

/**
 * How much to start and to claim in the next round trip. Slow jobs: exactly the free slots, as if claimed one by one. Fast jobs:
 * also what starts within 20 ms, so that slots do not wait for the database. Half of that is cleared to start before the next trip,
 * the other half stays marked as prefetched: should the process die now, those lose no attempt.
 */
export function planClaim(state: PipelineState): ClaimPlan {
  const window = prefetchWindow(state)
  const free = Math.max(0, state.slots - state.running - state.startable)
  const start = Math.min(state.prefetched, free + Math.max(0, Math.ceil(window / 2) - state.startable))
  const freeSlots = Math.max(0, free - start)
  const waiting = state.startable + state.prefetched - Math.min(free, start)
  const claim = freeSlots + Math.max(0, window - waiting)
  const startsRunLow = start > 0 && state.startable < window / 4
  return { start, claim, freeSlots, due: (free > 0 && start + claim > 0) || startsRunLow || (claim > 0 && waiting < window / 2) }
}

/** How many jobs start within PREFETCH_MS at the speed of late; 0 when they are slow or one of them has turned out slow. */
function prefetchWindow(state: PipelineState): number {
  if (state.averageMs === undefined || state.averageMs >= PREFETCH_MS || state.longestMs >= PREFETCH_MS) return 0
  return Math.min(maxPrefetch, Math.floor((state.slots * PREFETCH_MS) / Math.max(state.averageMs, minDurationMs)))
}
