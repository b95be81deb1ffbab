import { expect, test } from 'vitest'
import { parseTime } from './access-time.ts'

// Every form of Caddy's time_format, 2.4 to 2.11: all of them this instant.
test.each([
  ['unix_seconds_float', 1780308009.25],
  ['unix_milli_float', 1780308009250.0],
  ['unix_nano', 1780308009250000000],
  ['iso8601', '2026-06-01T10:00:09.250Z'],
  ['iso8601 of a local clock', '2026-06-01T12:00:09.250+0200'],
  ['rfc3339_nano', '2026-06-01T10:00:09.25Z'],
  ['rfc3339_nano, local', '2026-06-01T12:00:09.250000000+02:00'],
  ['west of Greenwich', '2026-06-01T06:30:09.250-03:30'],
  ['wall_milli', '2026/06/01 10:00:09.250'],
  ['wall_nano', '2026/06/01 10:00:09.250000000'],
  ['without a zone it is UTC, whatever the machine says', '2026-06-01 10:00:09.25'],
])('%s', (_name, ts) => {
  expect(parseTime(ts)).toBeCloseTo(1780308009.25, 6)
})

test.each([
  ['rfc3339', '2026-06-01T10:00:09Z'],
  ['wall', '2026/06/01 10:00:09'],
  ['common_log', '01/Jun/2026:10:00:09 +0000'],
  ['common_log, local', '01/Jun/2026:12:00:09 +0200'],
])('%s has whole seconds', (_name, ts) => {
  expect(parseTime(ts)).toBe(1780308009)
})

test('a leap second and the 29th of February are times', () => {
  expect(parseTime('2016-12-31T23:59:60Z')).toBe(Date.UTC(2017, 0, 1) / 1000)
  expect(parseTime('2028-02-29T00:00:00Z')).toBe(Date.UTC(2028, 1, 29) / 1000)
})

test.each([
  12,
  -1,
  1e30,
  Number.NaN,
  null,
  undefined,
  {},
  '1',
  '',
  'not a time',
  '1780308009.25',
  '2026-99-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-06-31T00:00:00Z',
  '2026-06-01T10:60:00Z',
  '2026-06-01',
  '1999-12-31T23:59:59Z',
  '2200-01-01T00:00:00Z',
  '01/Foo/2026:10:00:09 +0000',
  'Mon, 01 Jun 2026 10:00:09 GMT',
])('no time: %s', (ts) => {
  expect(parseTime(ts)).toBeUndefined()
})
