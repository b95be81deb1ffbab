import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

describe('createRateLimit', () => {
  test('of 1,000 clicks at once as many pass as a bucket holds', () => {
    const { limit } = setUp(30)
    const answers = Array.from({ length: 1_000 }, () => limit.take('kari'))
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(30)
    expect(answers.at(-1)).toBe(2)
  })

  test('after the seconds that were named the next one passes', () => {
    const { limit, clock } = setUp(5)
    for (let count = 0; count < 5; count++) expect(limit.take('kari')).toBeUndefined()
    const wait = limit.take('kari')
    expect(wait).toBe(12)
    clock.ms += (wait ?? 0) * 1_000
    expect(limit.take('kari')).toBeUndefined()
    expect(limit.take('kari')).toBe(12)
  })

  test('users do not share a bucket', () => {
    const { limit } = setUp(1)
    expect(limit.take('kari')).toBeUndefined()
    expect(limit.take('ola')).toBeUndefined()
    expect(limit.take('kari')).toBe(60)
  })

  test('who has been idle for a minute is forgotten, and memory is bounded', () => {
    const { limit, clock } = setUp(30, 100)
    for (let user = 0; user < 1_000; user++) limit.take(`user ${user}`)
    expect(limit.size()).toBe(100)
    clock.ms += 60_000
    limit.take('kari')
    expect(limit.size()).toBe(1)
  })

  test('in any minute nobody gets more than two buckets full, however they click', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }), (gaps) => {
        const { limit, clock } = setUp(30)
        const passed: number[] = []
        for (const gap of gaps) {
          clock.ms += gap
          if (limit.take('kari') === undefined) passed.push(clock.ms)
        }
        const inMinute = passed.map((time) => passed.filter((other) => other >= time && other < time + 60_000).length)
        expect(Math.max(0, ...inMinute)).toBeLessThanOrEqual(60)
      }),
    )
  })
})

function setUp(perMinute: number, maxUsers?: number) {
  const clock = { ms: 0 }
  return { clock, limit: createRateLimit({ perMinute, now: () => clock.ms, ...(maxUsers !== undefined && { maxUsers }) }) }
}
