import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

const capMs = 6 * 3_600_000
const dayMs = 24 * 3_600_000
const attempt = fc.integer({ min: 1, max: 32_767 })
const random = fc.double({ min: 0, max: 1, noNaN: true })

describe('backoffMs', () => {
  test('never waits less than the formula, and at most a tenth more', () => {
    fc.assert(
      fc.property(attempt, random, (n, r) => {
        const formulaMs = Math.min(30_000 * 2 ** (n - 1), capMs)
        expect(backoffMs(n, r)).toBeGreaterThanOrEqual(formulaMs)
        expect(backoffMs(n, r)).toBeLessThanOrEqual(formulaMs * 1.1)
      }),
    )
  })

  test('never waits less after a later attempt', () => {
    fc.assert(fc.property(attempt, random, (n, r) => backoffMs(n + 1, r) >= backoffMs(n, r)))
  })

  test.each([27, 31, 32, 33, 39, 40, 45, 60, 1_024, 32_767])('is a whole number at the cap after attempt %i', (n) => {
    expect(backoffMs(n, 0)).toBe(capMs)
    expect(Number.isSafeInteger(backoffMs(n, 0.123456))).toBe(true)
  })

  test('treats attempt numbers that cannot be as the first', () => {
    for (const n of [0, -1, Number.NEGATIVE_INFINITY]) expect(backoffMs(n, 0)).toBe(30_000)
  })

  test('spreads what failed together over the tenth', () => {
    const waits = Array.from({ length: 100 }, (_, index) => backoffMs(1, index / 99))
    expect(new Set(waits).size).toBe(100)
    expect(Math.max(...waits) - Math.min(...waits)).toBe(3_000)
  })

  test('does what the service asked when that is longer, up to a day', () => {
    expect(backoffMs(1, 0, 90_000)).toBe(90_000)
    expect(backoffMs(1, 1, 31_000)).toBe(33_000)
    expect(backoffMs(20, 0, 90_000)).toBe(capMs)
    for (const absurd of [10 * dayMs, Number.MAX_VALUE, Number.POSITIVE_INFINITY]) expect(backoffMs(1, 0, absurd)).toBe(dayMs)
    for (const nothing of [0, -5, Number.NaN, undefined]) expect(backoffMs(1, 0, nothing)).toBe(30_000)
  })

  test('does what its comment says', async () => {
    const source = await readFile(new URL('./backoff.ts', import.meta.url), 'utf8')
    const [attempts = [], waits = []] = ['attempt', 'waits at least'].map((row) => cells(source, row))
    expect(attempts).toHaveLength(11)
    expect(waits.map(milliseconds)).toEqual(attempts.map((text) => backoffMs(Number.parseInt(text, 10), 0)))
  })
})

function cells(source: string, row: string): string[] {
  const line = new RegExp(`^ \\* \\| ${row} \\|(.*)\\|$`, 'm').exec(source)?.[1] ?? ''
  return line.split('|').map((cell) => cell.trim())
}

/** `4 h 16 min` in milliseconds. */
function milliseconds(text: string): number {
  const units: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 }
  return Array.from(text.matchAll(/(\d+) (s|min|h)/g)).reduce((sum, [, n, unit]) => sum + Number(n) * (units[unit ?? ''] ?? Number.NaN), 0)
}
