import { describe, expect, test } from 'vitest'
import { begun, failed, freshPace, nextCallInMs, type Pace, succeeded } from './pace.ts'

const limits = { maxInFlight: 2, minIntervalMs: 50, firstPauseMs: 1_000, maxPauseMs: 60_000 }
const failAt = (pace: Pace, now: number, retryAfterMs?: number) => failed(begun(pace, now), limits, { begunAt: now, now, retryAfterMs })

describe('calls', () => {
  test('begin some time apart, and so many run at once', () => {
    expect(nextCallInMs(freshPace, limits, 0)).toBe(0)
    const one = begun(freshPace, 0)
    expect([nextCallInMs(one, limits, 20), nextCallInMs(one, limits, 50)]).toEqual([30, 0])
    const two = begun(one, 50)
    expect(nextCallInMs(two, limits, 500)).toBe(Number.POSITIVE_INFINITY)
    expect(nextCallInMs(succeeded(two, 0), limits, 500)).toBe(0)
  })
})

describe('after a failure', () => {
  test('pauses double up to the longest, and one call at a time finds out', () => {
    let pace = freshPace
    const pauses = Array.from({ length: 8 }, (_, index) => {
      const now = index * 100_000
      pace = failAt(pace, now)
      return pace.pausedUntil - now
    })
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    expect(pace.downSince).toBe(0)
    expect(nextCallInMs(begun(pace, 800_000), limits, 900_000)).toBe(Number.POSITIVE_INFINITY)
    expect(succeeded(begun(pace, 800_000), 800_000)).toMatchObject({ downSince: undefined, failures: 0, inFlight: 0 })
  })

  test('a service that asks for more peace gets it, but not for ever', () => {
    expect(failAt(freshPace, 0, 5_000).pausedUntil).toBe(5_000)
    expect(failAt(freshPace, 0, 10).pausedUntil).toBe(1_000)
    expect(failAt(freshPace, 0, 3_600_000).pausedUntil).toBe(60_000)
  })

  test('what was under way at that moment changes nothing', () => {
    const three = begun(begun(begun(freshPace, 0), 1), 2)
    const down = failed(three, limits, { begunAt: 1, now: 10 })
    expect(failed(down, limits, { begunAt: 2, now: 20 })).toEqual({ ...down, inFlight: 1 })
    expect(succeeded(down, 0)).toEqual({ ...down, inFlight: 1 })
  })
})
