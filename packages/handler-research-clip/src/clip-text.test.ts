import { describe, expect, test } from 'vitest'
import { leaveOut, readLines } from './clip-text.ts'

const texts = (pasted: string) => readLines(pasted).map(({ text }) => text)

describe('lines', () => {
  test('have no blanks that say nothing, and nothing unseen', () => {
    expect(texts('\ufeff  En\u00a0\u00a0linje\u202e \r\n\r\n\t\n to\u00adde\u200bler\0')).toEqual(['En linje', 'todeler'])
  })

  test('of which there are very many are joined, and none is lost', () => {
    const lines = readLines(Array.from({ length: 5_001 }, (_, n) => `x${n}`).join('\n'))
    expect(lines.length).toBeLessThanOrEqual(2_000)
    expect(lines.flatMap(({ text }) => text.split('\n'))).toHaveLength(5_001)
  })
})

describe('left out', () => {
  const lines = readLines('Meny\n\nOverskrift\nNoe tekst som er lang nok.\n\n\nAnnonse\n\nMer tekst som er lang nok.')

  test('are the lines that are named, and paragraphs stay apart', () => {
    expect(leaveOut(lines, [1, 4, 4, 0, -1, 77])).toEqual({
      text: 'Overskrift\nNoe tekst som er lang nok.\n\nMer tekst som er lang nok.',
      ...{ leftOut: { lines: 2, characters: 11 }, kept: 0 },
    })
  })

  test('is nothing where that would be most of the text', () => {
    const { text, leftOut, kept } = leaveOut(lines, [2, 3, 5])
    expect([leftOut.lines, kept]).toEqual([0, 3])
    expect(text).toMatch(/^Meny\n\nOverskrift\n/)
  })
})
