import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPulse } from './pulse.ts'
import { repeat } from './repeat.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a pulse', () => {
  test('lets sleep until the time has passed', async () => {
    const slept = createPulse().sleep(1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await slept).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('wakes a sleeper at once, and leaves no timer behind', async () => {
    const pulse = createPulse()
    const slept = pulse.sleep(60_000)
    pulse.wake()
    expect(await slept).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('remembers one wake that came before the sleep, and only one', async () => {
    const pulse = createPulse()
    pulse.wake()
    pulse.wake()
    expect(await pulse.sleep(60_000)).toBe(true)
    const second = pulse.sleep(1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await second).toBe(false)
  })
})

describe('repeat', () => {
  test('counts its pause from the end of each call, and passes on what it throws', async () => {
    const errors: unknown[] = []
    let finish: () => void = () => {}
    const fn = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
    const repetition = repeat(1_000, fn, (error) => errors.push(error))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(fn).toHaveBeenCalledTimes(1)
    finish()
    fn.mockRejectedValueOnce('no')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(errors).toEqual(['no'])
    expect(fn).toHaveBeenCalledTimes(3)
    finish()
    await repetition.stop()
  })

  test('ends after the call that is under way, and at once while it pauses', async () => {
    let finish: () => void = () => {}
    const fn = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
    const repetition = repeat(1_000, fn, () => {})
    await vi.advanceTimersByTimeAsync(1_000)
    let stopped = false
    const stopping = repetition.stop().then(() => (stopped = true))
    await vi.advanceTimersByTimeAsync(0)
    expect(stopped).toBe(false)
    finish()
    await stopping
    expect(fn).toHaveBeenCalledTimes(1)
    await repeat(60_000, fn, () => {}).stop()
    expect(fn).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
