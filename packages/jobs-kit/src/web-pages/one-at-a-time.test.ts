import { expect, test } from 'vitest'
import { createOneAtATime } from './one-at-a-time.ts'

const never = new AbortController().signal

test('one task runs at a time, in order, also past one that threw', async () => {
  const run = createOneAtATime()
  const told: string[] = []
  const first = Promise.withResolvers<void>()
  const task = (name: string, until: Promise<void>) => async () => {
    told.push(`${name} begins`)
    await until
    told.push(`${name} ends`)
    if (name === 'b') throw new Error('b broke')
    return name
  }
  const results = Promise.allSettled([
    run(task('a', first.promise), never),
    run(task('b', Promise.resolve()), never),
    run(task('c', Promise.resolve()), never),
  ])
  first.resolve()
  expect(await results).toMatchObject([{ value: 'a' }, { reason: { message: 'b broke' } }, { value: 'c' }])
  expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('who gives up waiting is not begun, and lets nobody past', async () => {
  const run = createOneAtATime()
  const told: string[] = []
  const first = Promise.withResolvers<void>()
  const stop = new AbortController()
  const a = run(async () => {
    await first.promise
    told.push('a')
  }, never)
  const b = run(async () => told.push('b'), stop.signal)
  const c = run(async () => told.push('c'), never)
  stop.abort(new Error('stopped'))
  await expect(b).rejects.toThrow('stopped')
  expect(told).toEqual([])
  first.resolve()
  await Promise.all([a, c])
  expect(told).toEqual(['a', 'c'])
  await expect(run(async () => told.push('d'), stop.signal)).rejects.toThrow('stopped')
  expect(told).toEqual(['a', 'c'])
})
