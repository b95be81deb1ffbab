import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createZombies } from './zombies.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<void>(() => {})

function arrange(max: number) {
  const listeners = { onZombie: vi.fn(), onFull: vi.fn() }
  return { ...listeners, zombies: createZombies(max, listeners) }
}

test('a handler that still obeys in time is none', async () => {
  const { zombies, onZombie } = arrange(1)
  const { promise, reject } = Promise.withResolvers<void>()
  zombies.add(promise, 'a')
  await vi.advanceTimersByTimeAsync(9_999)
  reject(new Error('aborted'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onZombie).not.toHaveBeenCalled()
})

test('as many as there are slots are told once, with their types', async () => {
  const { zombies, onZombie, onFull } = arrange(2)
  zombies.add(never(), 'a')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onZombie.mock.calls).toEqual([['a']])
  expect(onFull).not.toHaveBeenCalled()
  zombies.add(never(), 'b')
  zombies.add(never(), 'b')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onZombie).toHaveBeenCalledTimes(3)
  expect(onFull.mock.calls).toEqual([[['a', 'b']]])
})

test('one that ends after all makes room', async () => {
  const { zombies, onFull } = arrange(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  zombies.add(promise, 'a')
  await vi.advanceTimersByTimeAsync(10_000)
  resolve()
  await vi.advanceTimersByTimeAsync(0)
  zombies.add(never(), 'a')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onFull).not.toHaveBeenCalled()
})
