import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dueTicks, MAX_CATCH_UP, ON_TIME_MS, type ScheduleState } from './due-ticks.ts'
import type { Misfire } from './timing.ts'

const minuteMs = 60_000
const noon = Date.UTC(2026, 5, 1, 12)
const hourly = { cron: '0 * * * *', everySeconds: null, timeZone: 'UTC' } as const
const state = (change: Partial<ScheduleState> = {}): ScheduleState => ({
  ...{ timing: hourly, startsAtMs: 0, countsFromMs: noon, nextAtMs: noon, misfire: 'last', nowMs: noon },
  ...change,
})
const hours = (ms: number[]) => ms.map((tick) => (tick - noon) / 3_600_000)
const misfires: Misfire[] = ['skip', 'last', 'all']

describe('dueTicks', () => {
  test.each(misfires)('%s: a tick that is on time is enqueued, and the next is waited for', (misfire) => {
    expect(dueTicks(state({ misfire }))).toEqual({ ticks: [noon], skipped: 0, nextAtMs: noon + 60 * minuteMs })
    expect(dueTicks(state({ misfire, nowMs: noon + ON_TIME_MS })).ticks).toEqual([noon])
    expect(dueTicks(state({ misfire, nowMs: noon - 1 }))).toEqual({ ticks: [], skipped: 0, nextAtMs: noon })
  })

  test.each([
    ['skip', []],
    ['last', [3]],
    ['all', [0, 1, 2, 3]],
  ] as const)('%s: after three and a half hours without a worker', (misfire, expected) => {
    const { ticks, skipped, nextAtMs } = dueTicks(state({ misfire, nowMs: noon + 210 * minuteMs }))
    expect(hours(ticks)).toEqual(expected)
    expect(skipped).toBe(4 - expected.length)
    expect(hours([nextAtMs ?? 0])).toEqual([4])
  })

  test.each([
    ['skip', [3]],
    ['last', [3]],
    ['all', [0, 1, 2, 3]],
  ] as const)('%s: back just as one is on time', (misfire, expected) => {
    expect(hours(dueTicks(state({ misfire, nowMs: noon + 181 * minuteMs })).ticks)).toEqual(expected)
  })

  test('all is bounded: the newest hundred', () => {
    const { ticks, skipped } = dueTicks(state({ misfire: 'all', nowMs: noon + 1_000 * 60 * minuteMs }))
    expect(hours(ticks)).toEqual(Array.from({ length: MAX_CATCH_UP }, (_, n) => 901 + n))
    expect(skipped).toBe(0)
    expect(dueTicks(state({ nowMs: noon + 1_000 * 60 * minuteMs })).skipped).toBe(MAX_CATCH_UP - 1)
  })

  test('a next tick that is not computed yet counts from the last change on, however late a worker comes', () => {
    const change = { nextAtMs: null, countsFromMs: noon - 30 * minuteMs }
    expect(dueTicks(state({ ...change, nowMs: noon - minuteMs }))).toEqual({ ticks: [], skipped: 0, nextAtMs: noon })
    expect(hours(dueTicks(state({ ...change, misfire: 'all', nowMs: noon + 70 * minuteMs })).ticks)).toEqual([0, 1])
  })

  test('a time set by hand ticks too, and the series goes on as it was', () => {
    const byHand = noon + 17 * minuteMs
    expect(dueTicks(state({ nextAtMs: byHand, nowMs: byHand + 5 }))).toEqual({
      ticks: [byHand],
      skipped: 0,
      nextAtMs: noon + 60 * minuteMs,
    })
  })

  test('there is no tick before startsAt, and an interval begins with it', () => {
    const startsAtMs = noon + 90 * minuteMs
    expect(dueTicks(state({ startsAtMs, nextAtMs: null })).nextAtMs).toBe(noon + 120 * minuteMs)
    const timing = { cron: null, everySeconds: 600, timeZone: 'UTC' } as const
    expect(dueTicks(state({ timing, startsAtMs, nextAtMs: null })).nextAtMs).toBe(startsAtMs)
    expect(dueTicks(state({ timing, startsAtMs: noon, nextAtMs: null, nowMs: noon + 5 }))).toEqual({
      ...{ ticks: [noon], skipped: 0, nextAtMs: noon + 10 * minuteMs },
    })
  })

  test('whenever workers look, no tick comes twice, none comes early, and the next is always ahead', () => {
    const timing = fc.oneof(
      fc.constantFrom('* * * * *', '*/7 * * * *', '30 2 * * *', '0 0 1 * *').map((cron) => ({ cron, everySeconds: null })),
      fc.integer({ min: 1, max: 100_000 }).map((everySeconds) => ({ cron: null, everySeconds })),
    )
    const looks = fc.array(fc.integer({ min: 1, max: 100_000_000 }), { maxLength: 20 })
    const zone = fc.constantFrom('UTC', 'Europe/Oslo', 'America/New_York', 'Australia/Lord_Howe')
    fc.assert(
      fc.property(timing, zone, fc.constantFrom(...misfires), looks, (when, timeZone, misfire, waitsMs) => {
        let nowMs = Date.UTC(2026, 9, 24)
        let current = state({ timing: { ...when, timeZone }, misfire, startsAtMs: nowMs, countsFromMs: nowMs, nextAtMs: null })
        let last = Number.NEGATIVE_INFINITY
        for (const waitMs of waitsMs) {
          nowMs += waitMs
          const due = dueTicks({ ...current, nowMs })
          for (const tick of due.ticks) {
            expect(tick).toBeGreaterThan(last)
            expect(tick).toBeLessThanOrEqual(nowMs)
            last = tick
          }
          expect(due.nextAtMs).toBeGreaterThan(nowMs)
          current = { ...current, nextAtMs: due.nextAtMs }
        }
      }),
    )
  })
})
