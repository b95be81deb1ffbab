import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonProblem } from './check-json.ts'
import { makeStorable } from './make-storable.ts'

const store = (value: unknown, maxBytes = 1_000) => makeStorable(value, 'result', maxBytes)
/** Any character, and more often those that PostgreSQL refuses or JSON escapes. */
const anyUnit = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.constantFrom('\0', '\ud800', '\udc00', '\\', '\\u0000', '"'),
)
const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

describe('makeStorable', () => {
  test('gives the JSON of plain data, and null for nothing', () => {
    expect(store({ a: [1, 'x', null, true] })).toBe('{"a":[1,"x",null,true]}')
    expect(store(undefined)).toBeNull()
    expect(store(null)).toBe('null')
  })

  test('replaces NUL and half surrogates in texts and in keys, and nothing else', () => {
    expect(store({ text: 'a\0b\ud800c😀' })).toBe('{"text":"a\ufffdb\ufffdc😀"}')
    expect(store({ 'k\0\udfff': { '\ud800': '\\u0000' } })).toBe('{"k\ufffd\ufffd":{"\ufffd":"\\\\u0000"}}')
    expect(store('\\\\u0000 and \\ud800 as written')).toBe(JSON.stringify('\\\\u0000 and \\ud800 as written'))
  })

  test.each([
    ['a BigInt', { id: 5n }],
    ['a cycle', cyclic],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
  ])('refuses %s for good', (_name, value) => {
    expect(() => store(value)).toThrow(expect.objectContaining({ kind: 'permanent', code: 'RESULT_INVALID' }))
  })

  test('says what is wrong even when the value throws something that is no error', () => {
    const value = {
      toJSON() {
        throw 'no reason'
      },
    }
    expect(() => store(value)).toThrow('The result cannot be written as JSON: no reason')
  })

  test('counts bytes, not characters, and the digits PostgreSQL writes out', () => {
    expect(store('å'.repeat(499))).toHaveLength(501)
    expect(() => store('å'.repeat(500))).toThrow(/result is 1002 bytes of JSON; at most 1000/)
    expect(() => store([1e308, 1e308, 1e308, 1e308])).toThrow(expect.objectContaining({ kind: 'permanent', code: 'RESULT_TOO_LARGE' }))
  })

  test('whatever it gives, PostgreSQL can store', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyUnit }), (value) => {
        const json = store(value, 1_000_000)
        expect(findJsonProblem(JSON.parse(json ?? 'null'), 'result')).toBeUndefined()
        expect(json).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/)
      }),
    )
  })
})
