import { describe, expect, test } from 'vitest'
import { storedSize } from './stored-size.ts'

describe('storedSize', () => {
  test('is the number of bytes in UTF-8', () => {
    expect(storedSize('"å😀"')).toBe(8)
  })

  test.each([
    [1e308, 309],
    [-1.5e300, 302],
    [1e21, 22],
    [5e-324, 326],
    [1.234e-7, 12],
  ])('counts %s as written out: at least %i characters', (number, length) => {
    expect(storedSize(JSON.stringify(number))).toBeGreaterThanOrEqual(length)
    expect(storedSize(JSON.stringify(number))).toBeLessThan(length + 20)
  })

  test('counts every such number', () => {
    expect(storedSize(JSON.stringify(Array(1_000).fill(1e308)))).toBeGreaterThan(309_000)
  })
})
