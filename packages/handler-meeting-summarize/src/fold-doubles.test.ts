import { expect, test } from 'vitest'
import { foldDoubles } from './fold-doubles.ts'

const point = (text: string, segment: number, owner: string | null = null) => ({
  text,
  owner,
  evidence: [{ segment, startMs: 0, quote: 'q' }],
})
const texts = (points: ReturnType<typeof point>[]) =>
  foldDoubles(points).map(({ text, evidence }) => [text, evidence.map(({ segment }) => segment)])

test('what is said twice stands once, with the evidence of both', () => {
  expect(
    texts([
      point('Styret kjøper ny båt.', 3),
      point('Ingen kveldsvakt.', 4),
      point('styret kjøper ny båt', 9),
      point('Styret kjøper ny båt', 3),
    ]),
  ).toEqual([
    ['Styret kjøper ny båt.', [3, 9]],
    ['Ingen kveldsvakt.', [4]],
  ])
})

test('not what is another number, the contrary, or for somebody else', () => {
  for (const other of [
    point('Vi kjøper 3 nye båter til klubben', 2),
    point('Vi kjøper ikke 2 nye båter til klubben', 2),
    point('Vi kjøper 2 nye båter til klubben', 2, 'Kari'),
  ]) {
    expect(foldDoubles([point('Vi kjøper 2 nye båter til klubben', 1), other])).toHaveLength(2)
  }
})
