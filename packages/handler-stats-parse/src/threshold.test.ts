import { expect, test } from 'vitest'
import { thresholdBytes } from './threshold.ts'

test.each([
  { name: 'one minute of twelve', total: 5_760_566, length: { durationS: 720 }, expected: 480_048 },
  { name: 'one minute of almost two', total: 937_526, length: { durationS: 117 }, expected: 480_783 },
  { name: 'one minute behind a header', total: 1_200, length: { durationS: 600, headerBytes: 200 }, expected: 300 },
  { name: 'a minute exactly is the whole file', total: 1_000, length: { durationS: 60 }, expected: 1_000 },
  { name: 'an unknown length is the whole file', total: 1_000, length: undefined, expected: 1_000 },
  { name: 'a header larger than the file', total: 1_000, length: { durationS: 600, headerBytes: 5_000 }, expected: 1_000 },
  { name: 'an unknown size decides nothing', total: undefined, length: { durationS: 720 }, expected: undefined },
])('$name', ({ total, length, expected }) => {
  expect(thresholdBytes(total, length)).toBe(expected)
})
