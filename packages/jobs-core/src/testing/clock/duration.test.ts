import { describe, expect, test } from 'vitest'
import { durationMs } from './duration.ts'

const refused = (message: RegExp) => expect.objectContaining({ code: 'TEST_OPTION_INVALID', message: expect.stringMatching(message) })

describe('durationMs', () => {
  test.each([
    [{}, 0],
    [{ milliseconds: 5 }, 5],
    [{ seconds: 1.5 }, 1_500],
    [{ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 }, 93_784_005],
  ])('%o is %i ms', (duration, ms) => {
    expect(durationMs(duration, 'travel')).toBe(ms)
  })

  test.each([
    [{ hour: 2 }, /^travel: there is no "hour"; did you mean hours\?/],
    [{ hours: -1 }, /^travel: hours must be a number, 0 or more, got -1/],
    [{ hours: Number.NaN }, /got NaN/],
    [{ days: Number.POSITIVE_INFINITY }, /got Infinity/],
    [{ days: '1' }, /got "1"/],
    [7_200_000, /^travel: expected an object with days, hours/],
    [null, /got null/],
  ])('%o is refused', (duration, message) => {
    expect(() => durationMs(duration as never, 'travel')).toThrow(refused(message))
  })
})
