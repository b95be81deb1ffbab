import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitProse } from './split-prose.ts'

test('a short text is shown whole, in its paragraphs', () => {
  expect(splitProse('En.\n\n\nTo\ntre.\n \n', 100)).toEqual({ first: ['En.', 'To\ntre.'], rest: [] })
})

test('a long one is folded after a paragraph', () => {
  const [a, b, c] = ['a'.repeat(80), 'b'.repeat(60), 'c'.repeat(90)] as const
  expect(splitProse([a, b, c].join('\n\n'), 100)).toEqual({ first: [a], rest: [b, c] })
})

test('one without paragraphs is folded after a sentence', () => {
  const sentence = `${'ord '.repeat(10).trim()}. `
  const { first, rest } = splitProse(sentence.repeat(10), 100)
  expect(first).toEqual([sentence.repeat(2).trim()])
  expect(rest).toEqual([sentence.repeat(8).trim()])
})

test('no character but blanks is lost, whatever the text', () => {
  const piece = fc.constantFrom('a', 'bb ', '. ', '\n\n', '\n', 'x'.repeat(50))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 120 }), (pieces, about) => {
      const text = pieces.join('')
      const { first, rest } = splitProse(text, about)
      expect([...first, ...rest].join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    }),
  )
})
