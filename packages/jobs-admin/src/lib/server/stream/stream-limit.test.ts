import { expect, test } from 'vitest'
import { createStreamLimit, type StreamPlace } from './stream-limit.ts'

test('a user has a limit, and so has the process', () => {
  const limit = createStreamLimit({ perUser: 2, perProcess: 3 })
  const first = limit.take('kari')
  limit.take('kari')
  expect(limit.take('kari')).toEqual({ full: 'user' })
  limit.take('ola')
  expect(limit.take('ola')).toEqual({ full: 'process' })
  expect(limit.open()).toBe(3)
  release(first)
  expect(limit.take('ola')).toHaveProperty('release')
})

test('a place is given back once', () => {
  const limit = createStreamLimit()
  const place = limit.take('kari')
  limit.take('kari')
  release(place)
  release(place)
  expect(limit.open()).toBe(1)
})

function release(place: StreamPlace): void {
  if ('release' in place) place.release()
}
