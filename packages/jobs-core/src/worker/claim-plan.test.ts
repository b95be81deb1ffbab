import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PipelineState, planClaim } from './claim-plan.ts'

const PREFETCH_MS = 20
const state = fc
  .record({
    slots: fc.integer({ min: 1, max: 1_000 }),
    busyShare: fc.double({ min: 0, max: 1, noNaN: true }),
    startable: fc.integer({ min: 0, max: 600 }),
    prefetched: fc.integer({ min: 0, max: 600 }),
    averageMs: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined }),
    longestMs: fc.double({ min: 0, max: 60, noNaN: true }),
  })
  .map(({ busyShare, ...rest }): PipelineState => ({ ...rest, running: Math.round(rest.slots * busyShare) }))

/** How many jobs start within 20 ms at this speed, however the plan counts it. */
const startsSoon = ({ slots, averageMs }: PipelineState) =>
  averageMs === undefined ? 0 : (slots * PREFETCH_MS) / Math.max(averageMs, 0.001)
const isSlow = (s: PipelineState) => s.averageMs === undefined || s.averageMs >= PREFETCH_MS || s.longestMs >= PREFETCH_MS

describe('planClaim', () => {
  test('never has more in flight than the slots and what starts in 20 ms', () => {
    fc.assert(
      fc.property(state, (s) => {
        const inFlight = s.running + s.startable + s.prefetched
        expect(inFlight + planClaim(s).claim).toBeLessThanOrEqual(Math.max(inFlight, s.slots + (isSlow(s) ? 0 : startsSoon(s))))
      }),
    )
  })

  test('clears at most half of that to start', () => {
    fc.assert(
      fc.property(state, (s) => {
        const free = Math.max(0, s.slots - s.running - s.startable)
        const { start } = planClaim(s)
        expect(s.startable + start - free).toBeLessThanOrEqual(Math.max(s.startable, isSlow(s) ? 0 : Math.ceil(startsSoon(s) / 2)))
      }),
    )
  })

  test('with slow jobs fills exactly the free slots, prefetched jobs first', () => {
    fc.assert(
      fc.property(state.filter(isSlow), (s) => {
        const free = Math.max(0, s.slots - s.running - s.startable)
        const { start, claim, freeSlots } = planClaim(s)
        expect(start).toBe(Math.min(free, s.prefetched))
        expect({ claim, freeSlots }).toEqual({ claim: free - start, freeSlots: free - start })
      }),
    )
  })

  test('never starts more than is prefetched, nor claims less than the free slots', () => {
    fc.assert(
      fc.property(state, (s) => {
        const { start, claim, freeSlots } = planClaim(s)
        for (const number of [start, claim, freeSlots]) expect(Number.isInteger(number) && number >= 0).toBe(true)
        expect(start).toBeLessThanOrEqual(s.prefetched)
        expect(claim).toBeGreaterThanOrEqual(freeSlots)
        // A batch never makes an idle slot wait.
        expect(start + claim + s.startable).toBeGreaterThanOrEqual(s.slots - s.running)
      }),
    )
  })

  test('is due whenever a slot is free that something could fill, and never for nothing', () => {
    fc.assert(
      fc.property(state, (s) => {
        const { start, claim, due } = planClaim(s)
        if (s.running + s.startable < s.slots && start + claim > 0) expect(due).toBe(true)
        if (start + claim === 0) expect(due).toBe(false)
      }),
    )
  })

  test.each([
    ['before the first job', { averageMs: undefined }, { start: 0, claim: 3, freeSlots: 3, due: true }],
    ['slow jobs, one slot free', { averageMs: 5_000, running: 2, longestMs: 4_000 }, { start: 0, claim: 1, freeSlots: 1, due: true }],
    ['slow jobs, no slot free', { averageMs: 5_000, running: 3, longestMs: 4_000 }, { start: 0, claim: 0, freeSlots: 0, due: false }],
    ['fast jobs, nothing at hand', { averageMs: 1 }, { start: 0, claim: 63, freeSlots: 3, due: true }],
    [
      'fast jobs, enough at hand',
      { averageMs: 1, running: 3, startable: 60, prefetched: 60 },
      { start: 0, claim: 0, freeSlots: 0, due: false },
    ],
    [
      'fast jobs, some missing',
      { averageMs: 1, running: 3, startable: 25, prefetched: 20 },
      { start: 5, claim: 15, freeSlots: 0, due: false },
    ],
    [
      'fast jobs, half missing',
      { averageMs: 1, running: 3, startable: 20, prefetched: 9 },
      { start: 9, claim: 31, freeSlots: 0, due: true },
    ],
    [
      'fast jobs, few cleared to start',
      { averageMs: 1, running: 3, startable: 10, prefetched: 50 },
      { start: 20, claim: 0, freeSlots: 0, due: true },
    ],
    [
      'fast jobs, but one of them hangs',
      { averageMs: 1, running: 3, longestMs: 25, prefetched: 60 },
      { start: 0, claim: 0, freeSlots: 0, due: false },
    ],
    ['no-ops', { averageMs: 0 }, { start: 0, claim: 1_003, freeSlots: 3, due: true }],
  ])('%s', (_name, given, plan) => {
    expect(planClaim({ slots: 3, running: 0, startable: 0, prefetched: 0, longestMs: 0, ...given })).toEqual(plan)
  })
})
