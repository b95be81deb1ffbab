import { tidySegments } from '@sidelinja/jobs-kit'
import { expect, test } from 'vitest'
import { checkPoints } from './check-points.ts'

const segments = tidySegments(
  ['Kommunestyret møttes i går.', 'Det sa ja til en ny', 'fotballbane ved skolen.', 'Takk for at du hørte på.'].map((text, n) => ({
    startMs: n * 5_000,
    endMs: (n + 1) * 5_000,
    text,
  })),
)
const point = (segment: number, quote: string) => ({ segment, title: 'Banen', quote })

test('points get times instead of numbers, in order', () => {
  const { points, dropped } = checkPoints([point(4, 'takk for at du'), point(1, 'kommunestyret møttes')], segments)
  expect(points).toEqual([
    { startMs: 0, title: 'Banen', quote: 'kommunestyret møttes' },
    { startMs: 15_000, title: 'Banen', quote: 'takk for at du' },
  ])
  expect(dropped).toBe(0)
})

test('a quote may go on in the next segment', () => {
  expect(checkPoints([point(2, 'ja til en ny fotballbane')], segments)).toMatchObject({ points: [{ startMs: 5_000 }], dropped: 0 })
})

test.each([
  ['that nobody said', point(2, 'det sa nei')],
  ['from elsewhere', point(1, 'takk for at du hørte på')],
  ['with an empty title', { ...point(1, 'kommunestyret møttes'), title: ' ' }],
  ['with nothing but a link for a title', { ...point(1, 'kommunestyret møttes'), title: 'https://utenfra.example/x' }],
  ['in a segment that does not exist', point(99, 'kommunestyret møttes')],
])('a quote %s is left out and counted', (_name, named) => {
  expect(checkPoints([named], segments)).toEqual({ points: [], dropped: 1 })
})
