import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleLine, visibleText } from './visible-text.ts'

describe('text from outside', () => {
  test.each([
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['nul\0', 'nul⟨U+0000⟩'],
    ['\u001b[31mrødt', '⟨U+001B⟩[31mrødt'],
    ['null\u200bwidth', 'null⟨U+200B⟩width'],
    ['\u{e0041}', '⟨U+E0041⟩'],
    ['half \ud83d', 'half ⟨U+D83D⟩'],
    ['to\nlinjer\tog 👩‍🔧 æøå <b>', 'to\nlinjer\tog 👩‍🔧 æøå <b>'],
  ])('%j', (text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  test('holds nothing afterwards that turns writing around or cannot be seen', () => {
    const text = fc.string({ unit: 'binary' })
    const hidden = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\p{Cs}]|(?![\t\n])\p{Cc}/u
    fc.assert(fc.property(text, (given) => !hidden.test(visibleText(given))))
  })

  test('in one line is cut, without half a character', () => {
    expect(visibleLine('  a\n\n b  ')).toBe('a b')
    expect(visibleLine('x'.repeat(400), 5)).toBe('xxxxx …')
    expect(visibleLine('1234👩', 5)).toBe('1234� …')
  })
})
