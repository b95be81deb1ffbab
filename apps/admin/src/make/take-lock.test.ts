import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { takeLock } from './take-lock.mjs'

test('one at a time has a lock, and who waits gets it when it is given back', async () => {
  const name = randomUUID()
  const order: string[] = []
  const release = await takeLock(name)
  const other = await takeLock(`${name} another`)
  const waiting = ['a', 'b'].map(async (who) => {
    const giveBack = await takeLock(name)
    order.push(`${who} in`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`${who} out`)
    giveBack()
  })
  order.push('first out')
  release()
  await Promise.all(waiting)
  other()
  expect(order[0]).toBe('first out')
  expect([order[1]?.replace(' in', ' out'), order[3]?.replace(' in', ' out')]).toEqual([order[2], order[4]])
})
