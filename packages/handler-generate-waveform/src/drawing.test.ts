import { expect, test } from 'vitest'
import { createDrawing } from './drawing.ts'

/** A drawing of so many seconds of a sound that goes up and down once a second. */
function draw(seconds: number, sampleRate = 8_000) {
  const drawing = createDrawing(sampleRate)
  const second = Int16Array.from({ length: sampleRate }, (_, n) => Math.round(30_000 * Math.sin((2 * Math.PI * n) / sampleRate)))
  for (let n = 0; n < seconds; n++) drawing.add(second)
  const { overview, detail } = drawing.end()
  return { overview: JSON.parse(overview.content), detail: JSON.parse(detail.content), sizes: [overview, detail] }
}

test('an hour: the whole at a glance, and 20 points a second', () => {
  const { overview, detail, sizes } = draw(3_600)
  expect(detail).toMatchObject({ version: 2, channels: 1, sample_rate: 8_000, samples_per_pixel: 400, bits: 8, length: 72_000 })
  expect(detail.data).toHaveLength(144_000)
  expect(overview).toMatchObject({ samples_per_pixel: 8_192, length: 3_516 })
  expect(overview.data.slice(0, 4)).toEqual([-117, 117, -117, 117])
  expect(sizes.map(({ points, samplesPerPixel }) => [points, samplesPerPixel])).toEqual([
    [3_516, 8_192],
    [72_000, 400],
  ])
})

test('ten seconds: both as fine as fits on a screen', () => {
  const { overview, detail } = draw(10)
  expect(overview).toMatchObject({ samples_per_pixel: 64, length: 1_250 })
  expect(detail).toEqual(overview)
})

test('a day: still at most a million points', () => {
  const { detail, overview } = draw(24 * 3_600, 1_000)
  expect(detail).toMatchObject({ samples_per_pixel: 100, length: 864_000 })
  expect(overview.length).toBeLessThanOrEqual(4_000)
})
