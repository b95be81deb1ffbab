import { describe, expect, test } from 'vitest'
import { bleu, levenshtein, rouge } from './text-measures.ts'

describe('levenshtein', () => {
  test.each([
    ['', '', 0],
    ['ku', 'ku', 0],
    ['ku', 'kua', 1],
    ['kari', 'åse', 4],
    ['referat', 'refererat', 2],
  ])('%j and %j: %i', (a, b, changes) => {
    expect(levenshtein(a, b, 10)).toBe(changes)
    expect(levenshtein(b, a, 10)).toBe(changes)
  })

  test('more than asked for is not told', () => {
    expect(levenshtein('abc', 'xyz', 2)).toBe(Number.POSITIVE_INFINITY)
    expect(levenshtein('a'.repeat(60_000), 'a', 1_000)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('rouge and bleu', () => {
  test('are 1 for the same words and 0 for others, or none', () => {
    for (const measure of [rouge, bleu]) {
      expect(measure('Banen står ferdig til sommeren.', 'banen står ferdig til sommeren')).toBeCloseTo(1)
      expect(measure('Ferja er innstilt', 'banen står ferdig')).toBe(0)
      expect(measure('', 'banen')).toBe(0)
      expect(measure('banen', '?')).toBe(0)
    }
  })

  test('are between, and lie where one expects', () => {
    expect(rouge('banen står ferdig', 'banen er ferdig')).toBeCloseTo(2 / 3)
    expect(rouge('nei nei nei', 'nei')).toBeCloseTo(0.5)
    const close = bleu('kommunen bygger ny bane ved skolen', 'kommunen bygger en ny bane ved skolen')
    expect(close).toBeGreaterThan(bleu('skolen ved bane ny bygger kommunen', 'kommunen bygger en ny bane ved skolen'))
    expect(close).toBeGreaterThan(0.4)
    expect(close).toBeLessThan(1)
  })
})
