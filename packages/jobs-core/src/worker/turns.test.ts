import { expect, test, vi } from 'vitest'
import { createTurns } from './turns.ts'

const busy = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a turn ends after a millisecond, and who was turned away is called in the next', async () => {
  const goOn = vi.fn()
  const turns = createTurns(goOn)
  expect(turns.mayGoOn()).toBe(true)
  busy(2)
  expect([turns.mayGoOn(), turns.mayGoOn()]).toEqual([false, false])
  expect(goOn).not.toHaveBeenCalled()
  await nextTurn()
  expect(goOn).toHaveBeenCalledTimes(1)
  expect(turns.mayGoOn()).toBe(true)
})

test('who was not turned away is not called', async () => {
  const goOn = vi.fn()
  const turns = createTurns(goOn)
  expect(turns.mayGoOn()).toBe(true)
  await nextTurn()
  await nextTurn()
  expect(goOn).not.toHaveBeenCalled()
})
