import { describe, expect, test } from 'vitest'
import { byType, roundMost, stackBars, sumTypes } from './flow.ts'

const series = (type: string, completed: number[], failed = [0, 0], retried = [0, 0]) => ({ type, completed, failed, retried })
const starts_at = ['2026-01-01T10:00:00Z', '2026-01-01T10:01:00Z']

describe('the flow of jobs', () => {
  test('of all types is the sum of each span', () => {
    expect(sumTypes({ starts_at, types: [series('a', [1, 2], [0, 3]), series('b', [4, 0], [1, 0], [2, 0])], others: null })).toEqual([
      { at: starts_at[0], completed: 5, failed: 1, retried: 2 },
      { at: starts_at[1], completed: 2, failed: 3, retried: 0 },
    ])
    expect(sumTypes({ starts_at, types: [], others: null })).toEqual(starts_at.map((at) => ({ at, completed: 0, failed: 0, retried: 0 })))
  })

  test('by type has also those that only ran or only waited', () => {
    const wait = { jobs: 2, p50_ms: 10, p95_ms: 20 }
    const found = byType({ types: [series('b', [1, 2], [1, 0])], durations: [{ type: 'a', wait, run: null }], others: null })
    expect(found).toMatchObject([
      { type: 'a', completed: 0, failed: 0, wait, run: null },
      { type: 'b', completed: 3, failed: 1, wait: null, run: null },
    ])
  })

  test('has what is told of many types together at its end, and in its sum', () => {
    const run = { jobs: 2, p50_ms: 10, p95_ms: 20 }
    const others = { types: 3_900, completed: [10, 0], failed: [0, 1], retried: [0, 0], wait: null, run }
    const body = { starts_at, types: [series('b', [1, 2])], durations: [], others }
    expect(byType(body).at(-1)).toMatchObject({ type: 3_900, completed: 10, failed: 1, wait: null, run })
    expect(sumTypes(body).map(({ completed, failed }) => [completed, failed])).toEqual([
      [11, 0],
      [2, 1],
    ])
  })
})

describe('bars', () => {
  test('stand on each other and never leave the drawing', () => {
    expect(
      stackBars(
        [
          [50, 0],
          [50, 1],
        ],
        100,
      ),
    ).toEqual([
      [
        { x: 0, y: 50, height: 50 },
        { x: 10, y: 100, height: 0 },
      ],
      [
        { x: 0, y: 0, height: 50 },
        { x: 10, y: 98, height: 2 },
      ],
    ])
    expect(stackBars([[100], [1]], 100)[1]).toEqual([{ x: 0, y: 0, height: 2 }])
    expect(stackBars([[0, 0]], 0)[0]?.every(({ height }) => height === 0)).toBe(true)
  })

  test.each([
    [[], 1],
    [[0], 1],
    [[1], 1],
    [[3], 5],
    [[10], 10],
    [[11], 20],
    [[999], 1_000],
    [[1_001, 4], 2_000],
  ])('of %j end at %d', (numbers, most) => expect(roundMost(numbers)).toBe(most))
})
