import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { daysToYesterday, shiftLog } from './shift-log.ts'

const zone = 'Europe/Oslo'
const line = (time: string, rest = '') => `{"level":"info","ts":${Date.parse(time) / 1000},"msg":"x"${rest}}`

describe('shiftLog', () => {
  test('moves each line by whole days and nothing else', () => {
    const log = '{"ts":1796062100.970227,"request":{"headers":{"X":["\\"ts\\":1"]}}}\n\n{"ts":1796062127}\nnot a line\n'
    expect(shiftLog(log, -2)).toBe('{"ts":1795889300.970227,"request":{"headers":{"X":["\\"ts\\":1"]}}}\n\n{"ts":1795889327}\nnot a line\n')
    expect(shiftLog(log, 0)).toBe(log)
  })

  test("moves every line of the repository's sample", () => {
    const log = readFileSync(new URL('../../samples/caddy.log', import.meta.url), 'utf8')
    const times = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each).ts as number)
    expect(times(shiftLog(log, 10)).map((ts, index) => Math.round(ts - (times(log)[index] ?? 0)))).toEqual(Array(43).fill(864_000))
  })
})

describe('daysToYesterday', () => {
  test.each([
    ['2026-11-30T19:00:00+01:00', '2026-12-25T12:00:00+01:00', 24],
    // Ten past midnight in Oslo is still the day before in UTC.
    ['2026-11-30T00:10:00+01:00', '2026-12-02T00:05:00+01:00', 1],
    ['2026-11-30T19:00:00+01:00', '2026-11-30T20:00:00+01:00', -1],
    // In summer the shifted half past eleven at night would be half past midnight of the next day.
    ['2026-11-30T23:30:00+01:00', '2027-07-02T12:00:00+02:00', 212],
  ])('a log that ends %s, read %s, moves by %d days', (last, now, days) => {
    const log = [line('2026-11-01T10:00:00Z'), line(last), ''].join('\n')
    expect(daysToYesterday(log, new Date(now), zone)).toBe(days)
    const shifted = Number(/"ts":(\d+)/.exec(shiftLog(line(last), days))?.[1])
    const day = (time: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(time)
    expect(day(new Date(shifted * 1000))).toBe(day(new Date(Date.parse(now) - 86_400_000)))
  })
})
