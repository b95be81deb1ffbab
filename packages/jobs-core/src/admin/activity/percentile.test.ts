import { describe, expect, test } from 'vitest'
import { bucketOf } from '../../worker/activity/tally.ts'
import { percentile } from './percentile.ts'

const buckets = (times: readonly number[]) =>
  [...Map.groupBy(times, bucketOf)].map(([bucket, { length: jobs }]) => ({ bucket, jobs })).toSorted((a, b) => a.bucket - b.bucket)

describe('percentile', () => {
  test.each([0.05, 0.5, 0.95, 1])('of %d is never further away than its bucket is wide', (share) => {
    for (const spread of [1, 3, 40, 10_000]) {
      const times = Array.from({ length: 501 }, (_, index) => 2 + ((index * 7_919) % 501) * spread)
      const exact = times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1] as number
      const found = percentile(buckets(times), share)
      expect(found / exact).toBeGreaterThan(1 / Math.SQRT2)
      expect(found / exact).toBeLessThan(Math.SQRT2)
    }
  })

  test('of one job is within its bucket', () => {
    expect(percentile([{ bucket: 20, jobs: 1 }], 0.5)).toBeGreaterThan(1_024)
    expect(percentile([{ bucket: 20, jobs: 1 }], 0.95)).toBeLessThan(1_449)
  })
})

describe('bucketOf', () => {
  test.each([
    [0, 0],
    [0.4, 0],
    [1, 0],
    [1.41, 0],
    [1.42, 1],
    [2, 2],
    [1_000, 19],
    [1_024, 20],
    [Number.MAX_SAFE_INTEGER, 63],
  ])('%d ms', (ms, bucket) => expect(bucketOf(ms)).toBe(bucket))
})
