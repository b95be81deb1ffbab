import { expect, test } from 'vitest'
import { fillSeries } from './fill-series.ts'

const at = [0, 60_000, 120_000].map((ms) => new Date(ms))
const row = (type: string | null, index: number, numbers: Partial<Record<'completed' | 'failed' | 'retried', number>>) => ({
  ...{ type, startsAt: at[index] as Date, completed: 0, failed: 0, retried: 0 },
  ...numbers,
})

test('series have a number for every span', () => {
  expect(fillSeries([row('a', 0, { completed: 2 }), row('a', 2, { completed: 1, failed: 3 }), row('b', 1, { retried: 4 })], at)).toEqual({
    types: [
      { type: 'a', completed: [2, 0, 1], failed: [0, 0, 3], retried: [0, 0, 0] },
      { type: 'b', completed: [0, 0, 0], failed: [0, 0, 0], retried: [0, 4, 0] },
    ],
    others: null,
  })
})

test('what has no type of its own is a series apart', () => {
  const { types, others } = fillSeries([row('a', 0, { completed: 2 }), row(null, 1, { failed: 7 })], at)
  expect(types).toHaveLength(1)
  expect(others).toEqual({ completed: [0, 0, 0], failed: [0, 7, 0], retried: [0, 0, 0] })
})

test('nothing gives no series, and what is of no span is left out', () => {
  const nothing = { types: [], others: null }
  expect(fillSeries([{ ...row(null, 0, {}), startsAt: null }], at)).toEqual(nothing)
  expect(fillSeries([{ ...row('a', 0, { completed: 1 }), startsAt: new Date(30_000) }], at)).toEqual(nothing)
})
