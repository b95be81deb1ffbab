import { describe, expect, test } from 'vitest'
import { createPeaks } from './peaks.ts'

/** What a point should be, plainly. */
function plainly(all: number[], samplesPerPixel: number): number[] {
  const data: number[] = []
  for (let at = 0; at < all.length; at += samplesPerPixel) {
    const part = all.slice(at, at + samplesPerPixel)
    data.push(toBits(Math.min(...part)), toBits(Math.max(...part)))
  }
  return data
}

/** Without a negative zero. */
const toBits = (sample: number) => Math.trunc(sample / 256) + 0

describe('peaks', () => {
  test.each([
    ['silence', [0, 0, 0, 0], [0, 0, 0, 0]],
    ['the loudest', [-32_768, 32_767, -32_768, 32_767], [-128, 127, -128, 127]],
    ['what 8 bits cannot tell from nothing', [-255, 255, -1, 1], [0, 0, 0, 0]],
    ['an unfinished point', [1_000, 2_000, 3_000], [3, 7, 11, 11]],
  ])('%s', (_name, input, data) => {
    const peaks = createPeaks({ samplesPerPixel: 2, maxPoints: 10 })
    peaks.add(Int16Array.from(input))
    expect([...peaks.end().data]).toEqual(data)
  })

  test('are the least and the greatest of each stretch, in whatever pieces the samples come and however often points are merged', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 2_000; round++) {
      const all = Array.from({ length: 1 + random(400) }, () => random(65_536) - 32_768)
      const [perPixel, maxPoints, size] = [1 + random(7), 2 + 2 * random(20), 1 + random(99)]
      const peaks = createPeaks({ samplesPerPixel: perPixel, maxPoints })
      for (let at = 0; at < all.length; at += size) peaks.add(Int16Array.from(all.slice(at, at + size)))
      const { samplesPerPixel, points, data } = peaks.end()
      expect([...data]).toEqual(plainly(all, samplesPerPixel))
      expect(points).toBe(data.length / 2)
      // As fine as there is room for.
      expect(points).toBeLessThanOrEqual(maxPoints)
      if (samplesPerPixel > perPixel) expect(Math.ceil(all.length / (samplesPerPixel / 2))).toBeGreaterThan(maxPoints)
    }
  })
})

/** Whole numbers below `limit`, the same in every run. */
function seededRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
