import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Written by hand: Oslo is an hour ahead of UTC in winter, two in summer; in 2026 the clock changes on 29 March and 25 October, both at 01:00 UTC.
const rows: [time: string | number, day: string, ends: string][] = [
  ['2026-11-30T22:59:59.999Z', '2026-11-30', '2026-11-30T23:00:00.000Z'],
  ['2026-11-30T23:00:00Z', '2026-12-01', '2026-12-01T23:00:00.000Z'],
  ['2026-06-30T21:59:59Z', '2026-06-30', '2026-06-30T22:00:00.000Z'],
  ['2026-06-30T22:00:00Z', '2026-07-01', '2026-07-01T22:00:00.000Z'],
  ['2026-12-31T22:59:59Z', '2026-12-31', '2026-12-31T23:00:00.000Z'],
  ['2026-12-31T23:00:00Z', '2027-01-01', '2027-01-01T23:00:00.000Z'],
  ['2028-02-28T23:00:00Z', '2028-02-29', '2028-02-29T23:00:00.000Z'],
  // A day of 23 hours.
  ['2026-03-28T22:59:59Z', '2026-03-28', '2026-03-28T23:00:00.000Z'],
  ['2026-03-28T23:00:00Z', '2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['2026-03-29T00:59:59Z', '2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['2026-03-29T01:00:00Z', '2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['2026-03-29T21:59:59Z', '2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['2026-03-29T22:00:00Z', '2026-03-30', '2026-03-30T22:00:00.000Z'],
  // A day of 25 hours, in which half past two comes twice.
  ['2026-10-24T21:59:59Z', '2026-10-24', '2026-10-24T22:00:00.000Z'],
  ['2026-10-24T22:00:00Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
  ['2026-10-25T00:30:00Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
  ['2026-10-25T01:30:00Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
  ['2026-10-25T22:59:59Z', '2026-10-25', '2026-10-25T23:00:00.000Z'],
  ['2026-10-25T23:00:00Z', '2026-10-26', '2026-10-26T23:00:00.000Z'],
  // The same instant in other forms; those without a zone are UTC.
  [Date.UTC(2026, 9, 24, 22) / 1000, '2026-10-25', '2026-10-25T23:00:00.000Z'],
  ['2026-10-24T18:00:00-0400', '2026-10-25', '2026-10-25T23:00:00.000Z'],
  ['2026/10/24 22:00:00', '2026-10-25', '2026-10-25T23:00:00.000Z'],
  ['2026-10-24 21:59:59', '2026-10-24', '2026-10-24T22:00:00.000Z'],
  ['24/Oct/2026:22:00:00 +0000', '2026-10-25', '2026-10-25T23:00:00.000Z'],
]

test.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'])('days and both clock changes of Oslo, on a machine in %s', (zone) => {
  const script = join(import.meta.dirname, '../test/print-days.ts')
  const times = JSON.stringify(rows.map(([time]) => time))
  const printed = execFileSync(process.execPath, ['--conditions=@sidelinja/source', script, times], { env: { TZ: zone } })
  expect(JSON.parse(String(printed))).toEqual({ zone, days: rows.map(([, day, ends]) => ({ day, ends })) })
})
