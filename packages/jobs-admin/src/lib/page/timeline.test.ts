import { describe, expect, test } from 'vitest'
import { job, later } from './test-rows.ts'
import { buildTimeline } from './timeline.ts'
import type { Attempt, EndReason } from './wire/bodies.ts'

const attempt = (run: number, end_reason: EndReason, [from, to]: [number, number], more: Partial<Attempt> = {}): Attempt => ({
  ...{ run, attempt: run, worker_id: 'w', started_at: later(from), ended_at: later(to), end_reason },
  ...{ error_code: null, error_msg: null, error_stack: null, ...more },
})
const seen = (...args: Parameters<typeof buildTimeline>) =>
  buildTimeline(...args).map(({ kind, end, lengthMs }) => [kind, end, lengthMs === null ? null : lengthMs / 1_000])
const now = Date.parse(later(1_000))

describe('a job’s life', () => {
  test('waits, and is asked for until when', () => {
    const [entry] = buildTimeline(job({ status: 'pending', scheduled_for: later(2_000) }), [], now)
    expect(entry).toMatchObject({ kind: 'waited', to: null, lengthMs: 1_000_000, until: later(2_000) })
  })

  test('runs, and succeeds at once', () => {
    expect(seen(job({ status: 'running', started_at: later(10), attempts: 1, run: 1 }), [], now)).toEqual([
      ['waited', undefined, 10],
      ['run', 'running', 990],
    ])
    expect(seen(job({ status: 'completed', started_at: later(10), completed_at: later(15), run: 1 }), [], now)).toEqual([
      ['waited', undefined, 10],
      ['run', 'ok', 5],
    ])
  })

  test('fails, backs off, succeeds', () => {
    const row = job({ status: 'completed', started_at: later(80), completed_at: later(90), run: 2, attempts: 2 })
    expect(seen(row, [attempt(1, 'failed', [10, 20])], now)).toEqual([
      ['waited', undefined, 10],
      ['run', 'failed', 10],
      ['backoff', undefined, 60],
      ['run', 'ok', 10],
    ])
  })

  test('fails for good: the last run comes from its attempt', () => {
    const row = job({ status: 'error', started_at: later(50), completed_at: later(60), run: 2, attempts: 2 })
    const entries = seen(row, [attempt(2, 'timeout', [50, 60]), attempt(1, 'failed', [10, 20])], now)
    expect(entries.map(([kind, end]) => `${kind} ${end}`)).toEqual([
      'waited undefined',
      'run failed',
      'backoff undefined',
      'run timeout',
      'rest undefined',
    ])
  })

  test('says which run may have done something twice', () => {
    const row = job({ status: 'running', started_at: later(40), run: 2, attempts: 2, rescues: 1 })
    const entries = buildTimeline(row, [attempt(1, 'lease_expired', [10, 30])], now)
    expect(entries.map(({ kind, maybeTwice = false }) => [kind, maybeTwice])).toEqual([
      ['waited', false],
      ['run', false],
      ['handed_back', false],
      ['run', true],
    ])
  })

  test('is retried by a person, and keeps its history', () => {
    const row = job({ status: 'pending', run: 1, attempts: 0, scheduled_for: later(100) })
    const history = [attempt(1, 'failed', [10, 20]), attempt(1, 'retried_by_admin', [0, 100], { started_at: null })]
    expect(seen(row, history, now)).toEqual([
      ['waited', undefined, 10],
      ['run', 'failed', 10],
      ['admin_retry', undefined, 0],
      ['waited', undefined, 900],
    ])
  })

  test('has entries that can be told apart, also where all happened at one moment', () => {
    const history = [1, 2, 3].map((run) => attempt(run, 'failed', [0, 0]))
    const keys = buildTimeline(job({ status: 'error', run: 3, started_at: later(0), completed_at: later(0) }), history, now).map(
      ({ key }) => key,
    )
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('is never negative, whatever clocks say', () => {
    const row = job({ status: 'running', started_at: later(5_000), run: 2, attempts: 2 })
    const entries = buildTimeline(row, [attempt(1, 'failed', [20, 10])], now)
    expect(entries.every(({ lengthMs }) => lengthMs === null || lengthMs >= 0)).toBe(true)
  })

  test('does without times that are not known', () => {
    const [first, second] = buildTimeline(job({ status: 'retry', run: 1 }), [attempt(1, 'failed', [10, 20], { started_at: null })], now)
    expect([first?.kind, first?.lengthMs, second?.kind]).toEqual(['run', null, 'backoff'])
  })
})
