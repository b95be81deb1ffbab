import { expect, test } from 'vitest'
import { formatPosition } from './position.ts'

test.each([
  [0, '0:00'],
  [7_999, '0:07'],
  [725_000, '12:05'],
  [3_599_999, '59:59'],
  [3_723_000, '1:02:03'],
  [90_000_000, '25:00:00'],
  [-5, '0:00'],
  [Number.NaN, '0:00'],
])('%d ms is %s', (ms, shown) => {
  expect(formatPosition(ms)).toBe(shown)
})
