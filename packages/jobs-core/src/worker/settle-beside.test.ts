import { expect, test, vi } from 'vitest'
import type { ActiveRun } from './active-run.ts'
import { type Completion, createCompletions } from './completions.ts'
import { createPulse } from './pulse.ts'
import type { Runtime } from './runtime.ts'
import { settleBeside } from './settle-beside.ts'

const completion = (id: string): Completion => ({
  ...{ id, run: 1, resultJson: null, mayHaveSteps: false },
  active: { job: { id, rescues: 0 }, startedAt: 0 } as ActiveRun,
})

function arrange(run: () => Promise<unknown[]>) {
  const pulse = createPulse()
  const completions = createCompletions(pulse.wake)
  const queue = { run: vi.fn(run), close: async () => {} }
  const emit = vi.fn()
  const runtime = { queue, emit, session: { id: 'w' } } as unknown as Runtime
  return { completions, queue, emit, beside: settleBeside(runtime, completions, pulse) }
}

test('results that become due are settled while the loop waits for something else', async () => {
  const { completions, emit, beside } = arrange(async () => [{ id: null, payload: '{"alive":true,"settled":null}' }])
  completions.add(completion('a'))
  await vi.waitFor(() => expect(emit).toHaveBeenCalledWith(expect.objectContaining({ name: 'job.completed', jobId: 'a' })))
  expect(completions.jobs()).toEqual([])
  expect(await beside.stop()).toBe(true)
})

test('nothing is sent when nothing becomes due', async () => {
  const { queue, beside } = arrange(async () => [])
  expect(await beside.stop()).toBe(true)
  expect(queue.run).not.toHaveBeenCalled()
})

test('a statement whose answer is lost is told of, and its results wait for the next', async () => {
  const lost = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
  const { completions, queue, beside } = arrange(() => Promise.reject(lost))
  completions.add(completion('a'))
  await vi.waitFor(() => expect(queue.run).toHaveBeenCalledTimes(1))
  expect(await beside.stop()).toBe(false)
  expect(completions.jobs().map(({ id }) => id)).toEqual(['a'])
})
