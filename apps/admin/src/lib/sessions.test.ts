import { expect, test } from 'vitest'
import { createSessions } from './sessions.ts'

test('a session is somebody’s until it ends or runs out', () => {
  let ms = 0
  const sessions = createSessions({ maxAgeMs: 1_000, now: () => ms })
  const id = sessions.begin('kari')
  const other = sessions.begin('ola')
  expect(id).toMatch(/^[\w-]{43}$/)
  expect([sessions.userIdOf(id), sessions.userIdOf(other)]).toEqual(['kari', 'ola'])
  sessions.end(id)
  expect(sessions.userIdOf(id)).toBeUndefined()
  ms = 1_000
  expect(sessions.userIdOf(other)).toBeUndefined()
  sessions.begin('kari')
  expect(sessions.size()).toBe(1)
})

test('an id that nobody was given is nobody’s', () => {
  const sessions = createSessions()
  sessions.begin('kari')
  for (const id of [undefined, '', '__proto__', 'x'.repeat(10_000)]) expect(sessions.userIdOf(id)).toBeUndefined()
})

test('there are only so many', () => {
  const sessions = createSessions({ maxSessions: 10 })
  const first = sessions.begin('kari')
  for (let count = 0; count < 10; count++) sessions.begin('ola')
  expect(sessions.size()).toBe(10)
  expect(sessions.userIdOf(first)).toBeUndefined()
})
