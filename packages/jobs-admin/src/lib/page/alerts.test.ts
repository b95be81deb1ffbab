import { describe, expect, test } from 'vitest'
import { findAlerts } from './alerts.ts'
import { later } from './test-rows.ts'
import type { CountsBody, Worker } from './wire/more-bodies.ts'

const now = Date.parse(later(3_600))
const counts = (type: string, { waiting = 0, failed = 0, oldest }: { waiting?: number; failed?: number; oldest?: number }): CountsBody => ({
  ...{ counted_at: null, finished_counted_at: null, set_aside: 0, others: null, statuses: { error: { jobs: failed, capped: false } } },
  types: [
    { type, statuses: { pending: { jobs: waiting, capped: false } }, oldest_due_at: oldest === undefined ? null : later(3_600 - oldest) },
  ],
})
const workers = (state: Worker['state'], ...types: string[]) => ({ workers: [{ state, types } as unknown as Worker] })
const kinds = (...args: Parameters<typeof findAlerts>) => findAlerts(...args).map(({ kind }) => kind)

describe('what needs a person', () => {
  test('is nothing while all is well', () => {
    expect(findAlerts(counts('a', { waiting: 3, oldest: 60 }), { workers: workers('alive', 'a'), pauses: { pauses: [] }, now })).toEqual([])
  })

  test('is a type with waiting jobs that no living worker takes', () => {
    const waiting = counts('a', { waiting: 3, oldest: 5 })
    expect(findAlerts(waiting, { workers: workers('lost', 'a'), now })).toEqual([{ kind: 'no_worker', type: 'a', jobs: 3 }])
    expect(kinds(waiting, { workers: workers('alive', 'b'), now })).toEqual(['no_worker'])
    expect(kinds(waiting, { workers: null, now })).toEqual([])
  })

  test('is a job that has waited for more than a quarter of an hour', () => {
    expect(kinds(counts('a', { waiting: 1, oldest: 899 }), { workers: workers('alive', 'a'), now })).toEqual([])
    expect(kinds(counts('a', { waiting: 1, oldest: 901 }), { workers: workers('alive', 'a'), now })).toEqual(['waits'])
  })

  test('is not a job whose time has not come', () => {
    expect(kinds(counts('a', { waiting: 1, oldest: -500 }), { workers: workers('lost', 'a'), now })).toEqual([])
  })

  test('is a failure, and a pause', () => {
    expect(kinds(counts('a', { failed: 2 }), { workers: workers('alive', 'a'), pauses: { pauses: [{} as never] }, now })).toEqual([
      'failed',
      'paused',
    ])
  })

  test('are not made of failures that are set aside', () => {
    const aside = (set_aside: number) => findAlerts({ ...counts('a', { failed: 5 }), set_aside }, { now })
    expect(aside(2)).toEqual([{ kind: 'failed', jobs: 3 }])
    expect(aside(5)).toEqual([])
    // Counted a moment apart.
    expect(aside(6)).toEqual([])
  })
})
