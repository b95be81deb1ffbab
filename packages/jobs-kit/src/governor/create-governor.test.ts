import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Rooms, RoomsObservation } from '../rooms/room-status.ts'
import { createGovernor, type Decision, type GovernorOptions } from './create-governor.ts'
import type { Work } from './gentle-actions.ts'

const signal = new AbortController().signal
const work: Work = { priority: 5, ageMs: 0 }
const answer = (active: boolean): RoomsObservation => ({
  outcome: 'answered',
  status: { active, activeRooms: active ? 1 : 0, rooms: 1 },
  atMs: performance.now(),
})

/** A room that the test opens and closes. */
function room(open: boolean) {
  const state = { open, looks: 0 }
  const rooms: Rooms = {
    observe: async (given) => {
      given.throwIfAborted()
      state.looks += 1
      return answer(state.open)
    },
  }
  return { state, rooms }
}

const governor = (options: GovernorOptions) => createGovernor(options)
const shape = ({ mode, deferMs, url, threads }: Decision) => ({ mode, deferMs, url: url?.href, threads })

describe('full speed and gentle', () => {
  test('without LiveKit the governor is off', async () => {
    const decision = await governor({ gentle: { url: new URL('http://gentle') } }).decide(work, signal)
    expect(shape(decision)).toEqual({ mode: 'full', deferMs: undefined, url: undefined, threads: undefined })
    expect(decision.reason).toBe('no LiveKit is configured')
  })

  test('nobody in a room', async () => {
    const { rooms } = room(false)
    const decision = await governor({ rooms, gentle: { url: new URL('http://gentle'), deferMs: 60_000 } }).decide(work, signal)
    expect(shape(decision)).toEqual({ mode: 'full', deferMs: undefined, url: undefined, threads: undefined })
  })

  test('a room in use: fewer threads, and the other server where there is one', async () => {
    const { rooms } = room(true)
    expect(shape(await governor({ rooms }).decide(work, signal))).toEqual({
      mode: 'gentle',
      deferMs: undefined,
      url: undefined,
      threads: 2,
    })
    const chosen = { url: new URL('http://gentle'), threads: undefined }
    expect(shape(await governor({ rooms, gentle: chosen }).decide(work, signal))).toMatchObject({
      url: 'http://gentle/',
      threads: undefined,
    })
  })

  test('put off: nothing begins, so nothing has to end', async () => {
    const { rooms } = room(true)
    const deferring = governor({ rooms, gentle: { deferMs: 60_000 } })
    expect(await deferring.decide(work, signal)).toMatchObject({
      mode: 'gentle',
      deferMs: 60_000,
      threads: undefined,
      reason: '1 room in use',
    })
    expect(await deferring.decide({ priority: 10, ageMs: 0 }, signal)).toMatchObject({ deferMs: undefined, threads: 2 })
  })

  test('decided anew for each piece', async () => {
    const { rooms, state } = room(false)
    const anew = governor({ rooms })
    using first = await anew.decide(work, signal)
    state.open = true
    // The piece that runs already counts: the second one would wait for its turn.
    first[Symbol.dispose]()
    using second = await anew.decide(work, signal)
    expect([first.mode, second.mode]).toEqual(['full', 'gentle'])
  })
})

describe('one at a time while a room is in use', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('the next begins when the one before is done', async () => {
    const { rooms } = room(true)
    const turns = governor({ rooms })
    const first = await turns.decide(work, signal)
    const waits: string[] = []
    const order: string[] = []
    const second = turns.decide({ ...work, onWait: (reason) => waits.push(reason) }, signal).then((decision) => {
      order.push('second')
      return decision
    })
    const third = turns.decide(work, signal).then((decision) => {
      order.push('third')
      return decision
    })
    await vi.advanceTimersByTimeAsync(40_000)
    expect(order).toEqual([])
    expect(waits).toEqual(['1 room in use'])
    first[Symbol.dispose]()
    // Twice is once.
    first[Symbol.dispose]()
    const begun = await second
    await vi.advanceTimersByTimeAsync(40_000)
    expect(order).toEqual(['second'])
    begun[Symbol.dispose]()
    await third
    expect(order).toEqual(['second', 'third'])
  })

  test('all begin when the room is empty', async () => {
    const { rooms, state } = room(true)
    const turns = governor({ rooms })
    await turns.decide(work, signal)
    const waiting = [turns.decide(work, signal), turns.decide(work, signal)]
    await vi.advanceTimersByTimeAsync(1_000)
    state.open = false
    await vi.advanceTimersByTimeAsync(15_000)
    expect((await Promise.all(waiting)).map(({ mode }) => mode)).toEqual(['full', 'full'])
  })

  test('nobody waits longer than promised, though the room stays and the piece before never ends', async () => {
    const { rooms } = room(true)
    const turns = governor({ rooms })
    await turns.decide(work, signal)
    let begun: Decision | undefined
    void turns.decide(work, signal).then((decision) => {
      begun = decision
    })
    await vi.advanceTimersByTimeAsync(15 * 60_000 - 1)
    expect(begun).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toMatchObject({ mode: 'gentle', threads: 2, deferMs: undefined })
  })

  test('who is cancelled stops waiting, and the turn goes to the next', async () => {
    const { rooms } = room(true)
    const turns = governor({ rooms })
    const first = await turns.decide(work, signal)
    const cancel = new AbortController()
    const cancelled = turns.decide(work, cancel.signal)
    const settled = expect(cancelled).rejects.toThrow('cancelled')
    const next = turns.decide(work, signal)
    await vi.advanceTimersByTimeAsync(1_000)
    cancel.abort(new Error('cancelled'))
    await settled
    first[Symbol.dispose]()
    expect((await next).mode).toBe('gentle')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('as many as configured, or all', async () => {
    const { rooms } = room(true)
    const two = governor({ rooms, gentle: { concurrency: 2 } })
    await two.decide(work, signal)
    await two.decide(work, signal)
    const all = governor({ rooms, gentle: { concurrency: undefined } })
    await Promise.all(Array.from({ length: 5 }, () => all.decide(work, signal)))
  })
})
