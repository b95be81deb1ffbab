import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAge, formatDuration } from './duration.ts'

describe('lengths of time', () => {
  test.each([
    [0, '0 ms', '0 ms'],
    [340, '340 ms', '340 ms'],
    [4_240, '4,2 s', '4.2 s'],
    [12_499, '12 s', '12 s'],
    [59_600, '1 min', '1 min'],
    [192_000, '3 min 12 s', '3 min 12 s'],
    [3_599_800, '1 t', '1 h'],
    [7_500_000, '2 t 5 min', '2 h 5 min'],
    [86_400_000, '1 dag', '1 day'],
    [273_600_000, '3 dager 4 t', '3 days 4 h'],
  ])('%i ms', (ms, nb, en) => {
    expect(formatDuration(ms, 'nb')).toBe(nb)
    expect(formatDuration(ms, 'en')).toBe(en)
  })

  test('have words of their own in nynorsk', () => {
    expect(formatDuration(273_600_000, 'nn')).toBe('3 dagar 4 t')
  })

  test('are never negative, whatever clocks say', () => {
    fc.assert(
      fc.property(fc.double(), fc.constantFrom('nb' as const, 'nn' as const, 'en' as const), (ms, lang) => {
        expect(formatDuration(ms, lang)).not.toMatch(/-|−|NaN|Infinity/)
        expect(formatAge(ms, lang)).not.toMatch(/-|−|NaN|Infinity/)
      }),
    )
  })

  test('ages are never more than has passed', () => {
    expect(formatAge(119_999, 'nb')).toBe('1 min')
    expect(formatAge(2 * 86_400_000 + 1, 'nn')).toBe('2 dagar')
  })
})
