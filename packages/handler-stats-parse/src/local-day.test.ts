import { expect, test } from 'vitest'
import { createDayClock } from './local-day.ts'

const seconds = (iso: string) => Date.parse(iso) / 1000
const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

test('the day changes at local midnight, winter and summer', () => {
  const { dayOf } = createDayClock('Europe/Oslo')
  expect(dayOf(seconds('2026-11-30T22:59:59.999Z'))).toBe('2026-11-30')
  expect(dayOf(seconds('2026-11-30T23:00:00Z'))).toBe('2026-12-01')
  expect(dayOf(seconds('2026-06-01T21:59:59.999Z'))).toBe('2026-06-01')
  expect(dayOf(seconds('2026-06-01T22:00:00Z'))).toBe('2026-06-02')
})

test.each([
  ['Europe/Oslo', '2026-11-30', '2026-11-30T23:00:00.000Z'],
  ['Europe/Oslo', '2026-03-29', '2026-03-29T22:00:00.000Z'], // 23 hours
  ['Europe/Oslo', '2026-10-25', '2026-10-25T23:00:00.000Z'], // 25 hours
  ['UTC', '2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['Asia/Kathmandu', '2026-01-01', '2026-01-01T18:15:00.000Z'], // +05:45
  ['Pacific/Kiritimati', '2026-01-01', '2026-01-01T10:00:00.000Z'], // +14
  ['Pacific/Pago_Pago', '2026-01-01', '2026-01-02T11:00:00.000Z'], // −11
  ['America/Santiago', '2026-09-05', '2026-09-06T04:00:00.000Z'], // the 6th begins at 01:00
])('%s: %s ends %s', (timeZone, day, end) => {
  expect(iso(createDayClock(timeZone).endOf(day))).toBe(end)
})

test('every hour of two years lies before the end of its day and not before the end of the day before', () => {
  const { dayOf, endOf } = createDayClock('Europe/Oslo')
  for (let hour = seconds('2026-01-01T00:00:00Z'); hour < seconds('2028-01-01T00:00:00Z'); hour += 3600) {
    expect(endOf(dayOf(hour))).toBeGreaterThan(hour * 1000)
    expect(endOf(dayOf(hour - 86_400 * 1.1))).toBeLessThanOrEqual(hour * 1000)
  }
})

test('an unknown zone is refused', () => {
  expect(() => createDayClock('Europe/Osslo')).toThrow(RangeError)
})
