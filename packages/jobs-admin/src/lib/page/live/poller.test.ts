import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPoller } from './poller.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(options: { random?: number } = {}) {
  const state = { held: false, goes: true, asked: 0, finish: undefined as (() => void) | undefined, slow: false }
  const poller = createPoller({
    random: () => options.random ?? 0.5,
    isHeld: () => state.held,
    poll: async () => {
      state.asked++
      if (state.slow) await new Promise<void>((resolve) => (state.finish = resolve))
      return state.goes
    },
  })
  poller.start()
  return { poller, state }
}

describe('polling', () => {
  test('asks every five seconds, give or take ten percent', async () => {
    const { state } = start()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(state.asked).toBe(3)
    for (const [random, at] of [
      [0, 4_500],
      [1, 5_500],
    ] as const) {
      const other = start({ random })
      await vi.advanceTimersByTimeAsync(at - 1)
      expect(other.state.asked).toBe(0)
      await vi.advanceTimersByTimeAsync(1)
      expect(other.state.asked).toBe(1)
      other.poller.stop()
    }
  })

  test('never asks twice at once, also when hints come meanwhile', async () => {
    const { poller, state } = start()
    state.slow = true
    await vi.advanceTimersByTimeAsync(5_000)
    for (let index = 0; index < 50; index++) poller.soon()
    poller.wake()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.asked).toBe(1)
    state.slow = false
    state.finish?.()
    await vi.advanceTimersByTimeAsync(200)
    expect(state.asked).toBe(2)
  })

  test('asks later and later while it fails, and as before when it goes again', async () => {
    const { state } = start()
    state.goes = false
    const times: number[] = []
    for (let at = 0; at < 300; at++) {
      const before = state.asked
      await vi.advanceTimersByTimeAsync(1_000)
      if (state.asked > before) times.push(at + 1)
    }
    expect(times).toEqual([5, 15, 45, 105, 165, 225, 285])
    state.goes = true
    await vi.advanceTimersByTimeAsync(60_000)
    const { asked } = state
    await vi.advanceTimersByTimeAsync(5_000)
    expect(state.asked).toBe(asked + 1)
  })

  test('what throws has failed', async () => {
    let asked = 0
    createPoller({
      random: () => 0.5,
      isHeld: () => false,
      poll: async () => {
        asked++
        throw new Error('away')
      },
    }).start()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(asked).toBe(1)
  })

  test('asks nothing while it is held, and at once afterwards', async () => {
    const { poller, state } = start()
    state.held = true
    await vi.advanceTimersByTimeAsync(600_000)
    expect(state.asked).toBe(0)
    state.held = false
    poller.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(state.asked).toBe(1)
  })

  test('a hint does not get around the back-off, coming back does', async () => {
    const { poller, state } = start()
    state.goes = false
    await vi.advanceTimersByTimeAsync(5_000)
    poller.soon()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(state.asked).toBe(1)
    poller.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(state.asked).toBe(2)
  })

  test('stops', async () => {
    const { poller, state } = start()
    poller.stop()
    poller.soon()
    poller.wake()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.asked).toBe(0)
  })
})
