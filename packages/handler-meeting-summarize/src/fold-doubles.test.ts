import { expect, test } from 'vitest'
import { foldDoubles } from './fold-doubles.ts'

const point = (text: string, segment: number, owner: string | null = null) => ({
  text,
  owner,
  evidence: [{ segment, startMs: 0, quote: 'q' }],
})
const texts = (points: ReturnType<typeof point>[]) =>
  foldDoubles(points).points.map(({ text, evidence }) => [text, evidence.map(({ segment }) => segment)])

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
    expect(foldDoubles([point('Vi kjøper 2 nye båter til klubben', 1), other]).points).toHaveLength(2)
  }
})

test.each([
  ['Styret vedtok å gi ti tusen kroner til Kari.', 'Styret vedtok å gi ti tusen kroner til Ola.'],
  ['Styret vedtok å øke kontingenten for barn fra neste år.', 'Styret vedtok å senke kontingenten for barn fra neste år.'],
  ['Kari gir pengene til Ola', 'Ola gir pengene til Kari'],
  ['Vi flytter til naustet', 'Vi flytter fra naustet'],
  ['Det er 5 grader', 'Det er -5 grader'],
])('nor one word for another, also where one segment bears both out: %s', (a, b) => {
  expect(foldDoubles([point(a, 1), point(b, 1)])).toMatchObject({ points: [{ text: a }, { text: b }], folded: 0 })
})

test('two wordings are one where one segment bears both out and only small words differ', () => {
  const [a, b] = ['Vi vedtok at det kjøpes en ny båt', 'Vi vedtok det kjøpes ny båt.']
  expect(foldDoubles([point(a, 1), point(b, 1)])).toMatchObject({ points: [{ text: a }], folded: 1 })
  expect(foldDoubles([point(a, 1), point(b, 2)])).toMatchObject({ folded: 0 })
})

test('never with another due date, nor with none', () => {
  const due = (dueText: string | null, dueDate: string | null) => ({ ...point('Sende rapport til kommunen', 1), dueText, dueDate })
  const all = [due('innen fredag', '2026-12-04'), due('før 15. januar', '2027-01-14'), due(null, null), due('Innen fredag', '2026-12-04')]
  expect(foldDoubles(all)).toMatchObject({ points: all.slice(0, 3), folded: 1 })
})
