import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonProblem } from './check-json.ts'

const problemOf = (value: unknown) => {
  const found = findJsonProblem(value, 'payload')
  return found && `${found.path} ${found.problem}`
}
const cyclic: { self?: unknown } = {}
cyclic.self = { inner: cyclic }
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

describe('findJsonProblem', () => {
  test.each([
    ['a NUL in a text', { a: 'x\0y' }, /^payload\.a contains a NUL/],
    ['a NUL in a key', { 'a\0': 1 }, /key "payload\.a\\u0000" contains a NUL/],
    ['half a surrogate pair', ['ok', '\ud83d'], /^payload\[1\] contains half of a surrogate pair/],
    ['half a surrogate pair in a key', { b: { '\udc00': 1 } }, /half of a surrogate pair/],
    ['a BigInt', { id: 9_007_199_254_740_993n }, /^payload\.id is the BigInt 9007199254740993; send it as a string/],
    ['NaN', { a: [{ b: Number.NaN }] }, /^payload\.a\[0\]\.b is NaN/],
    ['infinity', -Infinity, /^payload is -Infinity/],
    ['undefined in an array', [undefined], /^payload\[0\] is undefined/],
    ['a hole in an array', { list: new Array(1) }, /^payload\.list\[0\] is undefined/],
    ['undefined alone', undefined, /^payload is undefined/],
    ['a function', { f: () => 1 }, /^payload\.f is a function/],
    ['a symbol', { s: Symbol('s') }, /^payload\.s is a symbol/],
    ['a Map', { m: new Map() }, /^payload\.m is an instance of Map; use plain objects/],
    ['a Set', [new Set()], /^payload\[0\] is an instance of Set/],
    ['bytes', { audio: new Uint8Array(2) }, /^payload\.audio is an instance of Uint8Array/],
    ['an instance', { e: new Error('x') }, /^payload\.e is an instance of Error/],
    ['an invalid date', { at: new Date('nonsense') }, /^payload\.at is an invalid date/],
    ['a cycle', cyclic, /^payload\.self\.inner contains itself/],
    ['101 levels', nested(101), /nested deeper than 100 levels/],
    ['a toJSON that gives what JSON cannot hold', { toJSON: () => 5n }, /^payload is the BigInt 5/],
    ['a toJSON that throws', { toJSON: fail }, /^payload cannot be read: no/],
    ['a getter that throws', { a: Object.defineProperty({}, 'b', { get: fail, enumerable: true }) }, /^payload\.a cannot be read: no/],
  ])('finds %s', (_name, value, expected) => {
    expect(problemOf(value)).toMatch(expected)
  })

  test.each([
    [null],
    [''],
    [0],
    [{ a: undefined }],
    [Object.assign(Object.create(null), { a: 1 })],
    [new Date(0)],
    [{ toJSON: () => ({ a: 1 }) }],
    ['😀'],
    [nested(100)],
    [1e308],
    [9_007_199_254_740_992],
  ])('takes %o', (value) => {
    expect(problemOf(value)).toBeUndefined()
  })

  test('takes the same object twice, as long as it does not contain itself', () => {
    const shared = { a: 1 }
    expect(problemOf({ x: shared, y: [shared, shared] })).toBeUndefined()
  })

  test('what it passes, JSON gives back unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        fc.pre(findJsonProblem(value, 'payload') === undefined)
        expect(JSON.parse(JSON.stringify(value))).toEqual(withoutMinusZero(value))
      }),
    )
  })

  test('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true }), (value) => {
        expect(() => findJsonProblem(value, 'payload')).not.toThrow()
      }),
    )
  })
})

function fail(): never {
  throw new Error('no')
}

/** JSON writes −0 as 0. */
function withoutMinusZero(value: unknown): unknown {
  if (typeof value === 'number') return value + 0
  if (Array.isArray(value)) return value.map(withoutMinusZero)
  if (typeof value !== 'object' || value === null) return value
  // Not Object.fromEntries: a key `__proto__` must stay a key.
  return Object.entries(value).reduce(
    (copy, [key, inner]) => Object.defineProperty(copy, key, { value: withoutMinusZero(inner), enumerable: true }),
    {},
  )
}
