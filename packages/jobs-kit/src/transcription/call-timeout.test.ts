import { expect, test } from 'vitest'
import { callTimeoutMs } from './call-timeout.ts'

test.each([
  [1_000, 3, 600_000],
  [600_000, 3, 1_800_000],
  [600_000, 1, 600_000],
  [7_200_000, 3, 10_800_000],
])('%i ms of audio at factor %i may take %i ms', (durationMs, factor, ms) => {
  expect(callTimeoutMs(durationMs, factor)).toBe(ms)
})
