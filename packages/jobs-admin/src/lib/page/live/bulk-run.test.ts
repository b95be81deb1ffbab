import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BulkBody } from '../wire/more-bodies.ts'
import { type BulkRunState, createBulkRun } from './bulk-run.ts'
import type { BulkStep } from './bulk-step.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const away = { status: 503, code: 'DATABASE_AWAY', detail: '' }
const body = (done: number, over = false): BulkStep =>
  ({ kind: 'went', body: { done, finished_at: over ? '2026-01-01T00:00:00Z' : null, aborted_at: null } as BulkBody }) as const
const later = (afterMs: number | null): BulkStep => ({ kind: 'later', problem: away, afterMs })

function start(answers: readonly BulkStep[]) {
  const [done, states]: [number[], BulkRunState[]] = [[], []]
  const seen = { asked: 0, open: 0, most: 0, signal: undefined as AbortSignal | undefined }
  const run = createBulkRun({
    async step(signal) {
      Object.assign(seen, { signal, open: seen.open + 1, most: Math.max(seen.most, seen.open + 1) })
      await new Promise((resolve) => setTimeout(resolve, 100))
      seen.open--
      return answers[Math.min(seen.asked++, answers.length - 1)] as BulkStep
    },
    onProgress: (answer) => done.push(answer.done),
    onState: (state) => states.push(state),
  })
  run.start()
  return { run, done, states, seen, last: () => states.at(-1) }
}

describe('carrying a bulk action on', () => {
  test('goes on by itself until it is over, and asks no more', async () => {
    const { done, seen, last } = start([body(100), body(214), body(300, true)])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(done).toEqual([100, 214, 300])
    expect([seen.asked, last()]).toEqual([3, { kind: 'idle', problem: null }])
  })

  test('never twice at once, however often it is begun', async () => {
    const { run, seen } = start([body(1), body(2), body(3, true)])
    run.start()
    await vi.advanceTimersByTimeAsync(150)
    run.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([seen.most, seen.asked]).toEqual([1, 3])
  })

  test('stops at once, gives up the answer it waits for, and can go on later', async () => {
    const { run, done, seen, last } = start([body(1), body(2), body(3), body(4, true)])
    await vi.advanceTimersByTimeAsync(150)
    run.stop()
    expect([seen.signal?.aborted, last()]).toEqual([true, { kind: 'idle', problem: null }])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(done).toEqual([1])
    run.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(done).toEqual([1, 3, 4])
  })

  test('waits as long as it is told, or longer and longer', async () => {
    const { seen, last } = start([later(7_000), later(null), body(5, true)])
    await vi.advanceTimersByTimeAsync(7_000)
    expect([seen.asked, last()]).toEqual([1, { kind: 'waiting', problem: away }])
    await vi.advanceTimersByTimeAsync(200 + 5_000)
    expect(seen.asked).toBe(2)
    await vi.advanceTimersByTimeAsync(200)
    expect([seen.asked, last()]).toEqual([3, { kind: 'idle', problem: null }])
  })

  test('stops while it waits', async () => {
    const { run, seen } = start([later(30_000), body(5, true)])
    await vi.advanceTimersByTimeAsync(1_000)
    run.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen.asked).toBe(1)
  })

  test('ends with what it was refused with, and does not try for ever', async () => {
    const gone = { status: 404, code: 'BULK_NOT_FOUND', detail: '' }
    const refused = start([body(1), { kind: 'refused', problem: gone }])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(refused.last()).toEqual({ kind: 'idle', problem: gone })
    const never = start([later(null)])
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect([never.seen.asked, never.last()]).toEqual([20, { kind: 'idle', problem: away }])
  })
})
