/** How hard a service may be asked, in milliseconds where they are times. */
export interface PaceLimits {
  /** Calls at the same time; one while the service is down. */
  maxInFlight: number
  /** Between the beginnings of two calls. */
  minIntervalMs: number
  /** After the first failure; twice as long after each further one. */
  firstPauseMs: number
  maxPauseMs: number
}

/** What is known about the calls so far. Times are those of one monotonic clock. */
export interface Pace {
  readonly inFlight: number
  readonly lastBegunAt: number
  /** Undefined: it is up, as far as is known. */
  readonly downSince: number | undefined
  readonly failures: number
  readonly failedAt: number
  readonly pausedUntil: number
}

const never = Number.NEGATIVE_INFINITY

/** Before the first call. */
export const freshPace: Pace = { inFlight: 0, lastBegunAt: never, downSince: undefined, failures: 0, failedAt: never, pausedUntil: never }

/** How long to wait before the next call: 0 now, Infinity until one of those under way has ended. Pure, as all here. */
export function nextCallInMs(pace: Pace, limits: PaceLimits, now: number): number {
  const atOnce = pace.downSince === undefined ? limits.maxInFlight : 1
  if (pace.inFlight >= atOnce) return Number.POSITIVE_INFINITY
  return Math.max(0, pace.pausedUntil - now, pace.lastBegunAt + limits.minIntervalMs - now)
}

/** A call begins. */
export function begun(pace: Pace, now: number): Pace {
  return { ...pace, inFlight: pace.inFlight + 1, lastBegunAt: now }
}

/** A call that began at `begunAt` has succeeded. One from before the newest failure does not mean that the service is up again. */
export function succeeded(pace: Pace, begunAt: number): Pace {
  const ended = { ...pace, inFlight: pace.inFlight - 1 }
  return begunAt < pace.failedAt ? ended : { ...ended, downSince: undefined, failures: 0, pausedUntil: never }
}

/** A call that began at `begunAt` has failed. Those that were under way at the newest failure are part of it. */
export function failed(pace: Pace, limits: PaceLimits, { begunAt, now, retryAfterMs = 0 }: CallEnd): Pace {
  const ended = { ...pace, inFlight: pace.inFlight - 1 }
  if (begunAt < pace.failedAt) return ended
  const pauseMs = Math.min(Math.max(limits.firstPauseMs * 2 ** pace.failures, retryAfterMs), limits.maxPauseMs)
  return { ...ended, downSince: pace.downSince ?? now, failures: pace.failures + 1, failedAt: now, pausedUntil: now + pauseMs }
}

/** When a call began and ended, and how long the service then asked to be left alone. */
export interface CallEnd {
  begunAt: number
  now: number
  retryAfterMs?: number | undefined
}
