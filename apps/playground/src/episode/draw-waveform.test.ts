import { expect, test } from 'vitest'
import { drawWaveform } from './draw-waveform.ts'

test('draws as many columns as fit, each as high as its loudest point', () => {
  const data = [0, 0, -2, 2, -4, 3, -8, 8]
  expect(drawWaveform(JSON.stringify({ data }), 4)).toBe('▁▃▅█')
  expect(drawWaveform(JSON.stringify({ data }), 2)).toBe('▃█')
  expect(drawWaveform(JSON.stringify({ data }), 80)).toHaveLength(4)
  expect(drawWaveform(JSON.stringify({ data: [] }), 80)).toBe('')
  expect(drawWaveform(JSON.stringify({ data: [0, 0] }), 80)).toBe('▁')
})
