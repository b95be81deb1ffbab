import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { peaksOf, withFewerPoints } from './peaks.ts'

const stored = { version: 2, channels: 1, sample_rate: 8_000, samples_per_pixel: 64, bits: 8, length: 2, data: [-3, 4, -128, 127] }

describe('peaks of a stored waveform', () => {
  test('are those of its data', () => {
    expect(peaksOf(JSON.stringify(stored))).toEqual([-3, 4, -128, 127])
  })

  test.each([
    ['not JSON', '{'],
    ['another version', JSON.stringify({ ...stored, version: 1 })],
    ['two channels', JSON.stringify({ ...stored, channels: 2 })],
    ['16 bits', JSON.stringify({ ...stored, bits: 16 })],
    ['peaks out of range', JSON.stringify({ ...stored, data: [-3, 4_000] })],
  ])('%s has none', (_name, content) => {
    expect(peaksOf(content)).toBeUndefined()
  })
})

test('fewer points are in order, and keep the lowest and the highest', () => {
  const point = fc.tuple(fc.integer({ min: -128, max: 0 }), fc.integer({ min: 0, max: 127 }))
  fc.assert(
    fc.property(fc.array(point, { minLength: 1, maxLength: 300 }), fc.integer({ min: 1, max: 100 }), (points, most) => {
      const fewer = withFewerPoints(points.flat(), most)
      expect(fewer).toHaveLength(2 * Math.min(points.length, most))
      expect(Math.min(...fewer)).toBe(Math.min(...points.flat()))
      expect(Math.max(...fewer)).toBe(Math.max(...points.flat()))
    }),
  )
  expect(withFewerPoints([-1, 1, -2, 2, -3, 3, -4, 4], 2)).toEqual([-2, 2, -4, 4])
})
