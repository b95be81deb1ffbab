import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ActiveRun } from './active-run.ts'
import { type Completion, createCompletions } from './completions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const onDue = vi.fn()
const completion = (id: number, resultJson: string | null = null): Completion => ({
  ...{ id: String(id), run: 1, resultJson, mayHaveSteps: false },
  active: { job: { id: String(id), rescues: 0 } } as ActiveRun,
})
const filled = (count: number, resultJson: string | null = null) => {
  const completions = createCompletions(onDue)
  for (let id = 0; id < count; id++) completions.add(completion(id, resultJson))
  return completions
}

beforeEach(() => void onDue.mockReset())

describe('completions', () => {
  test('are due 5 ms after the first of them, however many follow', async () => {
    const completions = filled(1)
    expect([completions.isDue(), completions.dueInMs()]).toEqual([false, 5])
    await vi.advanceTimersByTimeAsync(4)
    completions.add(completion(1))
    expect([completions.isDue(), completions.dueInMs()]).toEqual([false, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect([completions.isDue(), completions.dueInMs()]).toEqual([true, 0])
    expect(onDue).toHaveBeenCalledTimes(1)
  })

  test('are due at once when there are 256', () => {
    expect(filled(255).isDue()).toBe(false)
    expect(onDue).not.toHaveBeenCalled()
    expect(filled(256).isDue()).toBe(true)
    expect(onDue).toHaveBeenCalledTimes(1)
  })

  test('are never due when there are none', () => {
    const completions = filled(1)
    completions.take()
    expect([completions.isDue(), completions.dueInMs(), completions.take()]).toEqual([false, Number.POSITIVE_INFINITY, []])
  })

  test('leave in the order they came, at most 1,000 a statement', () => {
    const completions = filled(1_001)
    expect(completions.take().map(({ id }) => Number(id))).toEqual(Array.from({ length: 1_000 }, (_, id) => id))
    expect(completions.jobs().map((job) => job.id)).toEqual(['1000'])
    expect(completions.take()).toHaveLength(1)
  })

  test('leave in statements of at most 4 Mi characters, but at least one at a time', () => {
    const completions = filled(20, 'x'.repeat(1_048_576))
    expect(completions.take()).toHaveLength(4)
    expect(filled(3, 'x'.repeat(5_000_000)).take()).toHaveLength(1)
  })

  test('what stays behind is due without waiting again', async () => {
    const completions = filled(1_001)
    await vi.advanceTimersByTimeAsync(5)
    completions.take()
    expect(completions.isDue()).toBe(true)
  })
})
