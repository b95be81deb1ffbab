import { expect, test } from 'vitest'
import { rangesOf } from './claim-ranges.ts'

test('numbers in a row are one range, whatever their order; none is null', () => {
  expect(rangesOf([])).toBeNull()
  expect(rangesOf([5])).toBe('{[5,6)}')
  expect(rangesOf([3, 1, 2])).toBe('{[1,4)}')
  expect(rangesOf([1, 2, 9, 4, 5])).toBe('{[1,3),[4,6),[9,10)}')
})
