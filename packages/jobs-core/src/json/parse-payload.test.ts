import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePayload } from './parse-payload.ts'

describe('parsePayload', () => {
  test.each(['9007199254740993', '-9007199254740993', '12345678901234567890123', `1${'0'.repeat(400)}`])(
    'refuses %s, which JavaScript would round',
    (number) => {
      expect(() => parsePayload(`{"episode_id": ${number}}`)).toThrow(
        expect.objectContaining({ code: 'PAYLOAD_NUMBER_UNSAFE', message: expect.stringContaining('"episode_id"') }),
      )
      expect(() => parsePayload(`{"deep": [1, {"id": ${number}}]}`)).toThrow(/would round/)
    },
  )

  test('takes large numbers that JavaScript holds as they are, as PostgreSQL writes them', () => {
    expect(parsePayload('[9007199254740992, 100000000000000000, 1000000000000000000000]')).toEqual([2 ** 53, 1e17, 1e21])
    expect(parsePayload(`{"n": -1${'0'.repeat(308)}}`)).toEqual({ n: -1e308 })
    expect(parsePayload('{"n": 0.1234567890123456789}')).toEqual({ n: 0.12345678901234568 })
  })

  test('leaves digits in texts and keys alone', () => {
    const value = { '12345678901234567890': '9007199254740993' }
    expect(parsePayload(JSON.stringify(value))).toEqual(value)
  })

  test('gives back every double that was written out in full', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = Math.abs(number) < 2 ** 53 ? JSON.stringify(number) : inFull(number)
        expect(parsePayload(`[${text}]`)).toEqual([JSON.parse(text)])
      }),
    )
  })
})

/** The digits of the shortest text of a large number, without exponent: what jsonb prints. */
function inFull(number: number): string {
  const [mantissa = '', exponent = '0'] = JSON.stringify(number).split('e+')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return whole + fraction.padEnd(Number(exponent), '0')
}
