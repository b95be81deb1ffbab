import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'
import { splitText } from './split-text.ts'

describe('splitText', () => {
  test.each([
    ['what fits is one part', 'Hei og hå.', 100, ['Hei og hå.']],
    ['nothing is no part', '', 10, []],
    ['after a paragraph', 'En to tre.\n\nFire fem.\nSeks sju.', 11, ['En to tre.\n\n', 'Fire fem.\nSeks sju.']],
    ['after a line', 'En to tre fire\nFem seks. Sju', 10, ['En to tre fire\n', 'Fem seks. Sju']],
    ['after a sentence', 'En to tre fire. Fem seks sju', 9, ['En to tre fire. ', 'Fem seks sju']],
    ['after a word', 'en to tre fire fem', 4, ['en to tre ', 'fire fem']],
    ['within a word', 'abcdefghij', 2, ['abcde', 'fghij']],
    ['never within a pair', '😀😀', 5, ['😀', '😀']],
    ['with no budget at all', 'abc', 0, ['ab', 'c']],
  ])('%s', (_name, text, budget, parts) => expect(splitText(text, budget)).toEqual(parts))

  test('parts are the text, none is empty or too long', () => {
    const text = fc
      .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('ord ', '. ', '\n', '\n\n', '😀')), { maxLength: 60 })
      .map((words) => words.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (whole, budget) => {
        const parts = splitText(whole, budget)
        expect(parts.join('')).toBe(whole)
        for (const part of parts) {
          expect(part).not.toBe('')
          expect(estimateTokens(part)).toBeLessThanOrEqual(budget)
          expect(part.isWellFormed() || !whole.isWellFormed()).toBe(true)
        }
      }),
    )
  })

  test.each(['a', ' ', '\n', '. ', '\n \n', '"', 'ord '])('a megabyte of %j takes seconds at most', { timeout: 20_000 }, (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    expect(splitText(text, 6_000).join('')).toBe(text)
    expect(splitText(text, 10_000_000)).toEqual([text])
  })
})
