import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob } from '../definition/define-job.ts'
import type { DownService } from '../queue/find-down-services.ts'
import { defineHandler } from './define-handler.ts'
import { createServiceGate, servicesByType } from './service-gate.ts'
import { startServiceWatch } from './service-watch.ts'

const down = (service: string, change: Partial<DownService> = {}): DownService => ({
  ...{ service, since: new Date(0), downMs: 1_000, waitMs: 30_000, probing: false, code: null, message: null },
  ...change,
})
const types = ['plain', 'hears', 'thinks', 'both']
const needs = new Map([
  ['hears', ['captions']],
  ['thinks', ['gateway']],
  ['both', ['captions', 'gateway']],
])
const gate = () => createServiceGate(types, needs)

describe('the gate of services', () => {
  test('lets everything through while nothing is down, as one and the same list', () => {
    const it = gate()
    expect(it.types()).toBe(types)
    it.update([], 0)
    expect(it.types()).toBe(types)
    expect(it.leavesOut()).toBe(false)
    expect(it.scout(1e9)).toEqual([])
  })

  test('leaves out what needs a service that is down, until it is back', () => {
    const it = gate()
    it.update([down('captions')], 0)
    expect(it.types()).toEqual(['plain', 'thinks'])
    expect(it.leavesOut()).toBe(true)
    it.update([down('captions'), down('gateway')], 0)
    expect(it.types()).toEqual(['plain'])
    it.update([down('nobody_needs_it')], 0)
    expect(it.types()).toBe(types)
    expect(it.scout(1e9)).toEqual([])
  })

  test('sends one scout when the next probe is due, and the next one when that must be known', () => {
    const it = gate()
    it.update([down('captions', { waitMs: 30_000 })], 1_000)
    expect(it.scout(30_999)).toEqual([])
    expect(it.mayScout(31_000)).toBe(true)
    expect(it.scout(31_000)).toEqual(['hears', 'both'])
    it.scouted(1, 31_001)
    expect(it.scout(60_999)).toEqual([])
    expect(it.scout(61_000)).toEqual(['hears', 'both'])
  })

  test('looks again soon when there was no job to send', () => {
    const it = gate()
    it.update([down('captions', { waitMs: 0 })], 0)
    expect(it.scout(0)).toEqual(['hears', 'both'])
    it.scouted(0, 10)
    expect(it.scout(5_009)).toEqual([])
    expect(it.scout(5_010)).toEqual(['hears', 'both'])
  })

  test('sends none while a probe is under way', () => {
    const it = gate()
    it.update([down('captions', { waitMs: 0, probing: true })], 0)
    expect(it.scout(1e9)).toEqual([])
  })

  test('sends none that another service would hold up, and for each service one of its own', () => {
    const it = gate()
    it.update([down('captions', { waitMs: 0 }), down('gateway', { waitMs: 60_000 })], 0)
    expect(it.scout(1)).toEqual(['hears'])
    it.scouted(1, 1)
    it.update([down('captions', { waitMs: 0 }), down('gateway', { waitMs: 0 })], 2)
    expect(it.scout(2)).toEqual(['thinks', 'both'])
    it.scouted(1, 2)
    expect(it.scout(3)).toEqual([])
  })

  test('forgets its tries of a service that was back meanwhile', () => {
    const it = gate()
    it.update([down('captions', { waitMs: 0 })], 0)
    it.scout(0)
    it.update([], 1)
    it.update([down('captions', { waitMs: 0 })], 2)
    expect(it.scout(2)).toEqual(['hears', 'both'])
  })

  test('never lets through as usual what needs a service that is down, and never scouts for what is not due', () => {
    const state = fc.record({ waitMs: fc.integer({ min: 0, max: 60_000 }), probing: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.subarray(['captions', 'gateway', 'other']), state, fc.integer({ min: 0, max: 60_000 }))),
        (moves) => {
          const it = gate()
          let nowMs = 0
          for (const [services, change, laterMs] of moves) {
            const closed = services.map((service) => down(service, change))
            it.update(closed, nowMs)
            const needsDown = (type: string) => needs.get(type)?.some((service) => services.includes(service)) === true
            expect(it.types()).toEqual(types.filter((type) => !needsDown(type)))
            const scouts = it.scout(nowMs + laterMs)
            if (scouts.length > 0) expect(change).toEqual({ waitMs: change.waitMs, probing: false })
            if (scouts.length > 0) expect(change.waitMs).toBeLessThanOrEqual(laterMs)
            expect(scouts.filter((type) => !needsDown(type))).toEqual([])
            nowMs += laterMs
          }
        },
      ),
    )
  })
})

describe('services of handlers', () => {
  const handler = (type: string, services?: readonly string[]) =>
    defineHandler(defineJob({ type, payload: z.any() }), async () => {}, { services })

  test('are known by type, each once; a type with none is not among them', () => {
    const handlers = [handler('hears', ['captions', 'captions']), handler('plain'), handler('empty', [])]
    expect(servicesByType(new Map(handlers.map((each) => [each.definition.type, each])))).toEqual(new Map([['hears', ['captions']]]))
  })

  test.each(['', 'Captions', '1st', 'a b', 'x'.repeat(64), 7, null])('must have a name: %j', (name) => {
    expect(() => handler('hears', [name as string])).toThrow(expect.objectContaining({ kind: 'configuration', code: 'DEFINITION_INVALID' }))
  })

  test('of whom none has any cost a worker nothing: no statement, no list of its own', async () => {
    const handlers = new Map([['plain', handler('plain')]])
    const queue = { run: () => Promise.reject(new Error('asked')) }
    const watch = startServiceWatch({ queue, settings: { handlers } } as never, [], () => {})
    watch.soon()
    expect([watch.types(), watch.leavesOut(), watch.scout()]).toEqual([['plain'], false, []])
    expect(watch.types()).toBe(watch.types())
    await watch.stop()
  })
})
