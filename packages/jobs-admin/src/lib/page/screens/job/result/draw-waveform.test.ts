import { expect, test } from 'vitest'
import { drawWaveform } from './draw-waveform.ts'

test('is one bar a pair, from its lowest to its highest', () => {
  expect(drawWaveform([-128, 127, -10, 20])).toEqual({
    path: 'M0.15 1h.7V256h-.7zM1.15 108h.7V138h-.7z',
    viewBox: '0 0 2 256',
    peak: 100,
    quiet: 0,
  })
})

test('has a bounded number of bars, in which no peak is lost', () => {
  const peaks = Array.from({ length: 2_000 }, () => 0)
  peaks[1_001] = 100
  const { path, viewBox, peak, quiet } = drawWaveform(peaks)
  expect(viewBox).toBe('0 0 260 256')
  expect(path.match(/M/g)).toHaveLength(260)
  expect(path).toContain(' 28h')
  expect([peak, quiet]).toEqual([79, 100])
})

test('of silence and of nothing is a thin line, and says so', () => {
  expect(drawWaveform([0, 0])).toMatchObject({ path: 'M0.15 127h.7V129h-.7z', peak: 0, quiet: 100 })
  expect(drawWaveform([])).toEqual({ path: '', viewBox: '0 0 1 256', peak: 0, quiet: 100 })
})
