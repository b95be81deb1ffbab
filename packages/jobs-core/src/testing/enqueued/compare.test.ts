import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../json/json-value.ts'
import { compare } from './compare.ts'

const paths = (got: JsonValue, expected: unknown) => compare(got, expected, 'payload').map(({ path }) => path)

describe('compare', () => {
  test.each<[got: JsonValue, expected: unknown]>([
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: { b: [{ c: 1, d: 2 }] } }, { a: { b: [{ c: 1 }] } }],
    [{ a: 1 }, {}],
    [{ a: 1 }, { a: 1, b: undefined }],
    [[], []],
    [null, null],
    [{ to: 'ada@example.com' }, { to: /@example\.com$/ }],
    [{ n: 3 }, { n: expect.any(Number) }],
    [{ list: [1, 2] }, { list: expect.arrayContaining([2]) }],
    [{ at: '1970-01-01T00:00:00.000Z' }, { at: new Date(0) }],
  ])('%j is like %o', (got, expected) => {
    expect(paths(got, expected)).toEqual([])
  })

  test.each<[got: JsonValue, expected: unknown, where: string[]]>([
    [{ a: 1, b: 2 }, { a: 2, b: 3 }, ['payload.a', 'payload.b']],
    [{ a: 1 }, { b: 1 }, ['payload.b']],
    [{ a: 1 }, { a: undefined }, ['payload.a']],
    [{ a: null }, { a: undefined }, ['payload.a']],
    [{}, { a: null }, ['payload.a']],
    [[1, 2, 3], [1, 2], ['payload']],
    [[1, { a: 1 }], [1, { a: 2 }], ['payload[1].a']],
    [{ a: [] }, { a: {} }, ['payload.a']],
    [{ a: {} }, { a: [] }, ['payload.a']],
    ['1', 1, ['payload']],
    [null, {}, ['payload']],
    [{ a: 5 }, { a: /5/ }, ['payload.a']],
    [{ a: 'x' }, { a: expect.any(Number) }, ['payload.a']],
    [{ a: 'x' }, { toString: 1 }, ['payload.toString']],
  ])('%j is not like %o', (got, expected, where) => {
    expect(paths(got, expected)).toEqual(where)
  })

  test('says what was expected and what came', () => {
    expect(compare({ to: 'b' }, { to: 'a' }, 'payload')).toEqual([{ path: 'payload.to', expected: 'a', got: 'b' }])
  })

  test('everything is like itself, and like nothing that differs', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: true }), fc.jsonValue(), (raw, other) => {
        const value = JSON.parse(JSON.stringify(raw))
        expect(paths(value, value)).toEqual([])
        expect(paths({ value }, { value, more: other ?? 1 })).toEqual(['payload.more'])
      }),
    )
  })
})
