import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTime, isCutTiming, MAX_MS, parseTiming } from './timing.ts'

describe('parseTiming', () => {
  test.each([
    ['00:00:01,000 --> 00:00:02,500', 1000, 2500, false],
    ['00:00:01.000 --> 00:00:02.500', 1000, 2500, false],
    ['  00:00:01,000-->00:00:02,500\t', 1000, 2500, false],
    ['00:01.000 --> 00:02.500', 1000, 2500, false],
    ['1:02:03,004 --> 100:00:00,000', 3_723_004, 360_000_000, false],
    ['00:00:01 --> 00:00:02', 1000, 2000, false],
    ['00:00:01:500 --> 00:00:02:500', 1500, 2500, false],
    ['00:00:01,000 -> 00:00:02,000', 1000, 2000, false],
    ['00:00:01,000 -- > 00:00:02,000', 1000, 2000, false],
    ['00:00:01,000 –> 00:00:02,000', 1000, 2000, false],
    ['00:00:01,000 → 00:00:02,000', 1000, 2000, false],
    ['0:0:0,0 --> 0:0:1,5', 0, 1500, true],
    ['00:00:00,12 --> 00:00:01,123456', 120, 1123, true],
    ['00:00:01,899 --> 00:00:59,1000', 1899, 60_000, true],
    ['00:00:60,000 --> 00:01:61,000', 60_000, 121_000, true],
    ['-00:00:01,000 --> 00:00:02,000', -1000, 2000, false],
    ['00:00:0\x001,000 --> 00:00:02,000', 1000, 2000, false],
  ])('reads %j', (line, startMs, endMs, odd) => {
    expect(parseTiming(line)).toEqual({ startMs, endMs, odd, rest: '' })
  })

  test('keeps what stands behind the times', () => {
    expect(parseTiming('00:00:01,000  -->  00:00:02,000   X1:0 X2:9 ')?.rest).toBe('X1:0 X2:9')
    expect(parseTiming('00:00:01.000 --> 00:00:02.000 Hei du')?.rest).toBe('Hei du')
  })

  test.each([
    ...['', '1', 'fra A --> B', '10:00 -> 11:00', '10:00 – 11:00', 'kl. 00:00:01,000 --> 00:00:02,000', '00:00:01,000 --> 00:0'],
    ...['00:00:01,000 -->', '00:00:01,000', '00:00:01,000 --> 00:00:02,000x', '00:00:1a,000 --> 00:00:02,000', '123:00 --> 124:00'],
  ])('reads no times from %j', (line) => {
    expect(parseTiming(line)).toBeUndefined()
  })

  test('reads what formatTime writes', () => {
    const ms = fc.integer({ min: 0, max: MAX_MS })
    fc.assert(
      fc.property(ms, ms, fc.constantFrom(',' as const, '.' as const), (startMs, endMs, separator) => {
        const line = `${formatTime(startMs, separator)} --> ${formatTime(endMs, separator)}`
        expect(parseTiming(line)).toEqual({ startMs, endMs, odd: false, rest: '' })
      }),
    )
  })
})

test.each([
  [true, ['00:00:01,000 --> 00:0', '00:00:01,000 -->', '00:00:01,000 --', '00:00:01,000', '00:00:01,', '0:01 --> 0']],
  [false, ['', '1814', '12:30', 'klokka 12:30 --', '00:00:01', `${'1'.repeat(200)}:00:00,000`]],
])('the beginning of a line with times: %s', (cut, lines) => {
  expect(lines.filter((line) => isCutTiming(line) !== cut)).toEqual([])
})
