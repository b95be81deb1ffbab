import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWakes } from './wakes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A loop that claims as often as it is woken; each claim takes a millisecond and gets `jobs`. */
function claimWhenWoken(jobs: () => number) {
  let claims = 0
  const wakes = createWakes(async () => {
    claims++
    const look = wakes.look()
    await new Promise((resolve) => setTimeout(resolve, 1))
    look.found(jobs())
  })
  return { wakes, claims: () => claims }
}

describe('notifications', () => {
  test('that lead to nothing cause at most one claim in 50 ms, however many there are', async () => {
    const { wakes, claims } = claimWhenWoken(() => 0)
    for (let ms = 0; ms < 1_000; ms++) {
      for (let n = 0; n < 10; n++) wakes.wake()
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(claims()).toBeGreaterThan(15)
    expect(claims()).toBeLessThanOrEqual(21)
  })

  test('that lead to jobs are acted on at once', async () => {
    const { wakes, claims } = claimWhenWoken(() => 1)
    for (let n = 0; n < 100; n++) {
      wakes.wake()
      await vi.advanceTimersByTimeAsync(2)
    }
    expect(claims()).toBe(100)
  })

  test('that come while a claim is under way are not forgotten', async () => {
    const { wakes, claims } = claimWhenWoken(() => 0)
    wakes.wake()
    wakes.wake()
    await vi.advanceTimersByTimeAsync(40)
    expect(claims()).toBe(1)
    await vi.advanceTimersByTimeAsync(20)
    expect(claims()).toBe(2)
  })

  test('are acted on at once after a claim that nobody asked for found nothing', async () => {
    const { wakes, claims } = claimWhenWoken(() => 0)
    wakes.look().found(0)
    wakes.wake()
    expect(claims()).toBe(1)
  })

  test('go on being acted on after a claim that failed', async () => {
    const woken = vi.fn()
    const wakes = createWakes(woken)
    wakes.wake()
    wakes.look()
    wakes.wake()
    wakes.look().found(1)
    expect(woken).toHaveBeenCalledTimes(1)
    wakes.wake()
    expect(woken).toHaveBeenCalledTimes(2)
  })
})
