import { describe, expect, test } from 'vitest'
import { describeError, MAX_MESSAGE_LENGTH, MAX_STACK_LENGTH } from './describe-error.ts'
import { PermanentError } from './permanent-error.ts'

const unreadable = Object.defineProperty(new Error('x'), 'message', { get: () => fail() })
const { proxy, revoke } = Proxy.revocable(new Error('x'), {})
revoke()
const endless: Error & { cause?: unknown } = new Error('round')
endless.cause = endless

describe('describeError', () => {
  const cases: [unknown, string][] = [
    [undefined, 'The handler threw undefined instead of an Error'],
    [null, 'The handler threw null instead of an Error'],
    ['', 'The handler threw "" instead of an Error'],
    ['  \n', 'The handler threw    instead of an Error'],
    ['text', 'text'],
    [42, 'The handler threw 42 instead of an Error'],
    [5n, 'The handler threw 5 instead of an Error'],
    [{ code: 'X' }, 'The handler threw {"code":"X"} instead of an Error'],
    [Object.create(null), 'The handler threw {} instead of an Error'],
    [Symbol('s'), 'The handler threw Symbol(s) instead of an Error'],
    [new Error(''), 'Error without a message'],
    [new TypeError(' \n '), 'TypeError without a message'],
    [new Error('\u0001\u0007'), 'Error without a readable message'],
    [unreadable, 'Error without a message'],
    [proxy, 'The handler threw object instead of an Error'],
    [{ toJSON: fail }, 'The handler threw object instead of an Error'],
    [Object.assign(new Error('x'), { message: { not: 'text' } }), 'Error without a message'],
    [new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), 'no']), 'connect ECONNREFUSED ::1:5432; no'],
    [endless, 'round'],
    [new Error('outer', { cause: new Error('inner', { cause: 'root' }) }), 'outer ← inner ← root'],
    [new Error('outer', { cause: null }), 'outer'],
  ]
  test.each(cases.map(([thrown, message]) => ({ message, throwIt: () => thrown })))(
    'has a useful message whatever was thrown: $message',
    (example) => {
      expect(describeError(example.throwIt()).message.replace(/\s+/g, ' ')).toBe(example.message.replace(/\s+/g, ' '))
    },
  )

  test('takes the code of our errors and of the system, and nothing that is no code', () => {
    expect(describeError(new PermanentError('LOG_MISSING', 'm')).code).toBe('LOG_MISSING')
    expect(describeError(Object.assign(new Error('m'), { code: 'ERR_HTTP2.GOAWAY' })).code).toBe('ERR_HTTP2.GOAWAY')
    for (const code of [7, '', 'a\0b', 'two words', 'x'.repeat(101), 'sk-test-AAAA/BBBB']) {
      expect(describeError(Object.assign(new Error('m'), { code })).code).toBeNull()
    }
  })

  test('gives one line that PostgreSQL takes', () => {
    const { message, stack } = describeError(new Error('a\r\n\tb\0c\ud800d\u2028e'))
    expect(message).toBe('a b\ufffdc\ufffdd e')
    expect(stack).toContain('b\ufffdc\ufffdd')
    expect(stack).toContain('\n    at ')
  })

  test('cuts a message of 20 MB at once, keeps its beginning and marks the cut', () => {
    for (const long of ['x'.repeat(20_000_000), 'word '.repeat(4_000_000), `start ${'\n'.repeat(20_000_000)}`, '😀'.repeat(5_000_000)]) {
      const before = process.cpuUsage()
      const { message, stack } = describeError(new Error(long, { cause: new Error(long) }))
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
      expect(message.length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH)
      expect(message.startsWith(long.slice(0, 5).trim())).toBe(true)
      expect(message.endsWith(' … (cut)')).toBe(true)
      expect(message.isWellFormed()).toBe(true)
      expect(stack?.length).toBeLessThanOrEqual(MAX_STACK_LENGTH)
    }
  })

  test('does not mark what was not cut', () => {
    expect(describeError('x'.repeat(MAX_MESSAGE_LENGTH)).message).toBe('x'.repeat(MAX_MESSAGE_LENGTH))
    expect(describeError('x'.repeat(MAX_MESSAGE_LENGTH + 1)).message).toMatch(/^x+ … \(cut\)$/)
  })

  test('masks before it cuts, wherever the cut falls', () => {
    for (const filler of ['x ', '\n', ' \n']) {
      for (let room = 0; room < 40; room++) {
        for (const length of [MAX_MESSAGE_LENGTH, 20_000]) {
          const padding = filler.repeat(Math.ceil(length / filler.length)).slice(0, length - room)
          expect(describeError(`${padding} sk-test-AAAABBBBCCCCDDDD1111`).message).not.toMatch(/AAAA|sk-te/)
          expect(describeError(`${padding} postgres://jobs:hemmelig-passord@db/app`).message).not.toMatch(/hemm/)
        }
      }
    }
  })

  test('masks in the cause and in the stack too', () => {
    const error = new Error('request failed', { cause: new Error('{"error":"bad key sk-test-AAAABBBBCCCCDDDD1111"}') })
    expect(describeError(error).message).toBe('request failed ← {"error":"bad key sk-***"}')
    expect(describeError(new Error('PGPASSWORD=hemmelig2 psql: error')).stack).toMatch(/^Error: PGPASSWORD=\*\*\* psql: error\n {4}at /)
  })
})

function fail(): never {
  throw new Error('no')
}
