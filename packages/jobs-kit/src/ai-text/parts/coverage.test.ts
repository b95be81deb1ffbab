import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverageOf } from './coverage.ts'
import { planReduce } from './plan-reduce.ts'
import type { SegmentPart } from './segment-part.ts'

const part = (numbers: number[], overlap = 0): SegmentPart => ({
  segments: numbers.map((segment) => ({ segment, text: 'x' })),
  overlap,
  tokens: 1,
})
const parts = [part([1, 2, 3]), part([2, 3, 4, 5], 2), part([5]), part([6, 7])]

test.each([
  ['all', [0, 1, 2, 3], 7, []],
  ['none', [], 0, [[1, 7]]],
  ['what a part only repeats does not count for it', [1, 2, 3], 4, [[1, 3]]],
  ['nor against it', [0, 2, 3], 5, [[4, 5]]],
  ['a segment of which a piece was not read', [0, 1, 3], 6, [[5, 5]]],
  [
    'several gaps',
    [1],
    1,
    [
      [1, 3],
      [5, 7],
    ],
  ],
])('coverage: %s', (_name, read, covered, missing) => {
  expect(coverageOf(parts, (_part, index) => read.includes(index))).toEqual({ covered, total: 7, missing })
})

test('coverage of nothing is whole', () => {
  expect(coverageOf([], () => false)).toEqual({ covered: 0, total: 0, missing: [] })
})

test.each([
  [[], 10, []],
  [[5], 10, [[0]]],
  [
    [5, 5, 5, 5],
    10,
    [
      [0, 1],
      [2, 3],
    ],
  ],
  [
    [3, 3, 3, 3, 3],
    10,
    [
      [0, 1, 2],
      [3, 4],
    ],
  ],
  [[9, 9, 9], 10, [[0, 1], [2]]],
  [[1, 1, 1, 99], 10, [[0, 1, 2], [3]]],
])('reduce %j within %d: %j', (tokens, budget, groups) => expect(planReduce(tokens, budget)).toEqual(groups))

test('rounds of reducing come to an end, and take each partial once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100), { minLength: 1 }), fc.nat(100), (tokens, budget) => {
      const groups = planReduce(tokens, budget)
      expect(groups.flat()).toEqual(tokens.map((_, index) => index))
      expect(groups.length).toBeLessThanOrEqual(Math.ceil(tokens.length / 2))
    }),
  )
})
