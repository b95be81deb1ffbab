import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openRun } from './active-run.ts'
import { startCancelWatch } from './cancel-watch.ts'
import type { Runtime } from './runtime.ts'

const job = { id: 'a', run: 3 }

/** A runtime with one running job, and a database that answers each look with `requests`. */
function watch(pollIntervalMs: number, requests: { id: string; run: number }[] = []) {
  const run = openRun(job as never, 600_000)
  const looks: unknown[] = []
  const lifeline = {
    run: async ({ values }: { values: unknown[] }) => {
      looks.push(values)
      return requests
    },
  }
  const active = new Map([[job.id, run]])
  const watching = startCancelWatch({ lifeline, active, settings: { pollIntervalMs } } as unknown as Runtime)
  return { run, looks, active, watching }
}

describe('the look for jobs that are to be cancelled', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test.each([
    [10, 10],
    [1_000, 500],
    [600_000, 500],
  ])('with a poll interval of %i ms comes every %i ms', async (pollIntervalMs, everyMs) => {
    const { looks, watching } = watch(pollIntervalMs)
    await vi.advanceTimersByTimeAsync(everyMs - 1)
    expect(looks).toEqual([])
    await vi.advanceTimersByTimeAsync(2 * everyMs + 1)
    expect(looks).toEqual([[['a']], [['a']], [['a']]])
    await watching.stop()
  })

  test('comes at once when somebody says so, and aborts the run that is meant', async () => {
    const { run, looks, watching } = watch(1_000, [job])
    watching.soon()
    await vi.advanceTimersByTimeAsync(0)
    expect(looks).toHaveLength(1)
    expect(run.cause).toBe('cancelled')
    await watching.stop()
  })

  test('leaves a later run of the job alone, and asks nothing while nothing runs', async () => {
    const { run, looks, active, watching } = watch(1_000, [{ id: 'a', run: 2 }])
    watching.soon()
    await vi.advanceTimersByTimeAsync(0)
    expect(run.cause).toBeUndefined()
    active.clear()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(looks).toHaveLength(1)
    await watching.stop()
  })
})
