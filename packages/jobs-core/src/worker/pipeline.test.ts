import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createConnectGate } from '../database/connect-gate.ts'
import { createPooling } from '../database/pooling.ts'
import type { NamedQuery } from '../database/statement.ts'
import { defineJob } from '../definition/define-job.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'
import { createApart } from './apart.ts'
import { defineHandler } from './define-handler.ts'
import { monotonicMs } from './heartbeat/monotonic-ms.ts'
import { resolveOptions } from './options.ts'
import { createOutage } from './outage.ts'
import { createPipeline } from './pipeline.ts'
import type { Runtime } from './runtime.ts'
import { createSession } from './session.ts'
import { createSlots } from './slots.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const claimed = (id: string, prefetched: boolean): ClaimedJob => ({
  ...{ id, prefetched, run: 1, job_type: 'a_job', collection_node_id: 'c', payload: '{}', attempts: 1, max_attempts: 3, priority: 0 },
  ...{ created_ms: 0, scheduled_ms: 0, correlation_id: null, rescues: 0, claim: 1, waited_ms: 0 },
})
const names = (jobs: readonly ClaimedJob[]) => jobs.map((job) => job.id)

/** A pipeline with two slots, whose jobs end when told, and whose database says what `answer` says. */
function arrange({ leaseMs = 30_000, answer = () => {} }: { leaseMs?: number; answer?: (ids: string[]) => void } = {}) {
  const started: string[] = []
  const released: string[] = []
  const ends = new Map<string, () => void>()
  const handler = defineHandler(defineJob({ type: 'a_job', payload: z.any() }), ({ job }) => {
    started.push(job.id)
    return new Promise((resolve) => ends.set(job.id, resolve))
  })
  const session = createSession('w', leaseMs, monotonicMs())
  const run = async ({ values }: NamedQuery<unknown>) => {
    const ids = values[0] as string[]
    answer(ids)
    return ids.map((id) => ({ id, run: 1, status: 'pending', scheduled_for: new Date() }))
  }
  const runtime: Runtime = {
    settings: resolveOptions({ connection: '', handlers: [handler] }),
    ...{ gate: createConnectGate(), pooling: createPooling({}), outage: createOutage(() => {}), writing: (settle) => settle() },
    queue: { run: run as Runtime['queue']['run'], close: async () => {} },
    ...{ lifeline: undefined as never, writer: undefined as never },
    ...{ session, active: new Map(), apart: createApart(session), complete: () => {}, settleEnded: async () => undefined },
    zombies: { add: () => {} },
    emit: (event) => {
      if (event.name === 'job.released') released.push(event.jobId)
    },
  }
  const onFree = vi.fn()
  const pipeline = createPipeline(runtime, createSlots(2), onFree)
  const accept = (...jobs: ClaimedJob[]) => pipeline.accept(false, [], jobs)
  const end = async (id: string) => {
    ends.get(id)?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { pipeline, runtime, started, released, onFree, accept, end }
}

describe('the pipeline', () => {
  test('starts what may start, in order, as slots become free', async () => {
    const { accept, started, pipeline, onFree, end } = arrange()
    accept(claimed('a', false), claimed('b', false), claimed('c', false), claimed('d', true))
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toEqual(['a', 'b'])
    expect(names(pipeline.waiting())).toEqual(['c', 'd'])
    await end('b')
    expect(started).toEqual(['a', 'b', 'c'])
    expect(onFree).toHaveBeenCalledTimes(1)
  })

  test('starts a prefetched job only after that was noted, and forgets those whose start was refused', async () => {
    const { accept, started, pipeline } = arrange()
    accept(claimed('a', true), claimed('b', true), claimed('c', true))
    const asked = pipeline.next(2)
    expect(names(asked)).toEqual(['a', 'b'])
    pipeline.accept(true, asked, [])
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toEqual(['a', 'b'])
    expect(names(pipeline.waiting())).toEqual(['c'])
    pipeline.accept(false, pipeline.next(1), [])
    expect(names(pipeline.waiting())).toEqual([])
  })

  test('starts nothing once the lease may be lost: the process was paused, and others may run what it holds', async () => {
    const { accept, started, pipeline, runtime, end } = arrange({ leaseMs: 1_000 })
    accept(claimed('a', false), claimed('b', false), claimed('c', false))
    await vi.advanceTimersByTimeAsync(1_000)
    await end('a')
    expect(started).toEqual(['a', 'b'])
    runtime.session.renewed(monotonicMs())
    await end('b')
    expect(started).toEqual(['a', 'b', 'c'])
    expect(names(pipeline.waiting())).toEqual([])
  })

  test('hands back what has waited 250 ms for a slot: another worker may be free', async () => {
    const { accept, pipeline, released } = arrange()
    expect([pipeline.isStale(), pipeline.staleInMs()]).toEqual([false, Number.POSITIVE_INFINITY])
    accept(claimed('a', false), claimed('b', false), claimed('c', false), claimed('d', true))
    await vi.advanceTimersByTimeAsync(249)
    expect([pipeline.isStale(), pipeline.staleInMs()]).toEqual([false, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect(pipeline.isStale()).toBe(true)
    await pipeline.handBack()
    expect(released).toEqual(['c', 'd'])
    expect([pipeline.isStale(), names(pipeline.waiting())]).toEqual([false, []])
  })

  test('hands back one by one, and until it works, when one of them is locked', async () => {
    let locked = true
    const { accept, pipeline, released, runtime } = arrange({
      answer: (ids) => {
        if (locked && ids.includes('d')) throw Object.assign(new Error('locked'), { code: '55P03' })
      },
    })
    accept(...['a', 'b', 'c', 'd', 'e'].map((id) => claimed(id, id > 'b')))
    await pipeline.handBack()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(released).toEqual(['c', 'e'])
    expect(names(runtime.apart.jobs())).toEqual(['d'])
    locked = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(released).toEqual(['c', 'e', 'd'])
    await runtime.apart.idle()
    expect(names(runtime.apart.jobs())).toEqual([])
  })

  test('lets the loop know when the connection broke: what became of them is to be found out', async () => {
    const { accept, pipeline, released } = arrange({
      answer: () => {
        throw new Error('Connection terminated unexpectedly')
      },
    })
    accept(claimed('a', false), claimed('b', false), claimed('c', true))
    await expect(pipeline.handBack()).rejects.toThrow('Connection terminated')
    expect([released, names(pipeline.waiting())]).toEqual([[], []])
  })

  test('starts nothing more once it is closed, and forgets what waits once the lease is lost', async () => {
    const { accept, started, pipeline, end } = arrange()
    accept(claimed('a', false), claimed('b', false), claimed('c', false))
    await vi.advanceTimersByTimeAsync(0)
    pipeline.close()
    await end('a')
    accept(claimed('d', false))
    expect(started).toEqual(['a', 'b'])
    expect(names(pipeline.waiting())).toEqual(['c', 'd'])
    pipeline.drop()
    expect(names(pipeline.waiting())).toEqual([])
  })
})
