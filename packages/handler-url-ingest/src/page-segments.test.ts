import { expect, test } from 'vitest'
import { pageSegments } from './page-segments.ts'

test('a page has its lines for segments', () => {
  expect(pageSegments('Ny kai\n\n \nDen er  lang.\nSlutt')).toEqual([{ text: 'Ny kai' }, { text: 'Den er  lang.' }, { text: 'Slutt' }])
  expect(pageSegments('')).toEqual([])
})

test('very many lines are joined, and none is lost', () => {
  const segments = pageSegments(Array.from({ length: 5_001 }, (_, n) => `x${n}`).join('\n'))
  expect(segments.length).toBeLessThanOrEqual(2_000)
  expect(segments.flatMap(({ text }) => text.split('\n'))).toHaveLength(5_001)
})
