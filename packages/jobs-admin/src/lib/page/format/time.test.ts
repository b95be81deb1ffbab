import { describe, expect, test } from 'vitest'
import { formatClock, formatMoment, formatNumber } from './time.ts'

const now = Date.parse('2026-12-01T11:03:09Z')
const oslo = { lang: 'nb', timeZone: 'Europe/Oslo' } as const

describe('moments', () => {
  test('of today are a time with seconds, in the reader’s zone', () => {
    expect(formatMoment('2026-12-01T11:03:09Z', now, oslo)).toBe('12:03:09')
    expect(formatMoment('2026-12-01T11:03:09Z', now, { ...oslo, timeZone: 'UTC' })).toBe('11:03:09')
  })

  test('of other days have a date, of other years a year', () => {
    expect(formatMoment('2026-11-30T11:03:09Z', now, oslo)).toMatch(/^30\. nov\.? 12:03$/)
    expect(formatMoment('2025-11-30T11:03:09Z', now, oslo)).toMatch(/^30\. nov\.? 2025 12:03$/)
    expect(formatMoment('2026-11-30T11:03:09Z', now, { ...oslo, lang: 'en' })).toBe('30 Nov 12:03')
  })

  test('of today in one zone are of yesterday in another', () => {
    const late = Date.parse('2026-12-01T23:30:00Z')
    expect(formatMoment('2026-12-01T22:00:00Z', late, { ...oslo, timeZone: 'UTC' })).toBe('22:00:00')
    expect(formatMoment('2026-12-01T22:00:00Z', late, oslo)).toMatch(/^1\. des\.? 23:00$/)
  })

  test('that are none are nothing', () => {
    expect(formatMoment('soon', now, oslo)).toBe('')
  })

  test('clocks and numbers', () => {
    expect(formatClock(now, oslo)).toBe('12:03')
    expect(formatNumber(12_345, 'nb')).toBe('12\u00a0345')
    expect(formatNumber(12_345, 'en')).toBe('12,345')
  })
})
