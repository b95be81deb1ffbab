import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createConnectGate } from '../src/database/connect-gate.ts'
import { createPooling } from '../src/database/pooling.ts'
import { openQueueConnection, type QueueConnection } from '../src/database/queue-connection.ts'
import { defineJob, enqueue } from '../src/index.ts'
import { registerWorker } from '../src/queue/register-worker.ts'
import { defineHandler, type WorkerEvent } from '../src/worker/index.ts'
import type { Repetition } from '../src/worker/repeat.ts'
import type { Runtime } from '../src/worker/runtime.ts'
import { startWakeUp } from '../src/worker/wake-up.ts'
import { startProxy, type TestProxy } from './support/proxy.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const handler = defineHandler(definition, async () => {})

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startProxy(queue.connectionString)
})
afterAll(() => proxy.close())

describe('a worker', () => {
  test('says in its row and with an event that it listens', async () => {
    await queue.startWorker([handler], { pollIntervalMs: 60_000 })
    expect(await queue.event('wake.mode')).toEqual({ name: 'wake.mode', mode: 'listening', reason: null, error: null })
    const mode = async () => (await queue.pool.query('select wake_mode from job_workers')).rows
    await vi.waitFor(async () => expect(await mode()).toEqual([{ wake_mode: 'listening' }]))
  })

  test('makes at most one claim in 50 ms of a flood of 10,000 forged notifications, and still runs what comes', async () => {
    await queue.startWorker([handler], { connection: proxy.connectionString, pollIntervalMs: 60_000 })
    await queue.event('wake.mode')
    await queue.untilAsleep()
    const claims = proxy.count(/jobs_settle_and_claim/g)
    const startedAt = performance.now()
    // Each in a commit of its own: PostgreSQL makes one of equal ones in a transaction.
    const forge = `do $$ begin for n in 1..1000 loop perform pg_notify('job_queue_wake', ''); commit; end loop; end $$`
    for (let n = 0; n < 10; n++) await queue.pool.query(forge)
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
    await queue.event('job.completed', (event) => event.jobId === id)
    // Besides: what starts and settles the job, and what looks again before the worker sleeps.
    expect(claims()).toBeGreaterThan(1)
    expect(claims()).toBeLessThanOrEqual((performance.now() - startedAt) / 50 + 5)
  })
})

describe('a connection that listens', () => {
  const timing = { testEveryMs: 100, echoMs: 500 }
  let connection: QueueConnection
  let listening: Repetition | undefined
  beforeAll(() => {
    connection = openQueueConnection({ connectionString: queue.connectionString }, 2)
  })
  afterEach(async () => {
    proxy.mend()
    await listening?.stop()
  })
  afterAll(() => connection.close())

  /** Only this connection goes through the proxy. */
  async function listen(statements = connection) {
    const id = randomUUID()
    await registerWorker(connection, { id, host: 'test', pid: 1, version: null, types: [], slots: 1, leaseMs: 60_000 })
    const events: WorkerEvent[] = []
    const config = { connectionString: proxy.connectionString }
    const pooling = createPooling(config, { onFound: (sign) => events.push({ name: 'pooler.found', sign }) })
    const runtime = {
      ...{ settings: { connection: config }, queue: statements, session: { id }, pooling, gate: createConnectGate() },
      emit: (event: WorkerEvent) => events.push(event),
    } as unknown as Runtime
    const wake = vi.fn()
    listening = startWakeUp(runtime, { wake, lookForCancels: () => {}, lookAtServices: () => {} }, timing)
    const modes = () => events.flatMap((event) => (event.name === 'wake.mode' ? [`${event.mode} ${event.reason}`] : []))
    const until = (...expected: string[]) => vi.waitFor(() => expect(modes()).toEqual(expected), { timeout: 20_000 })
    return { until, wake, events, pooling }
  }

  test('that goes dead without a word is found by its self-test; another takes its place and looks for what came meanwhile', async () => {
    const { until, wake } = await listen()
    await until('listening null')
    const before = wake.mock.calls.length
    proxy.freeze()
    await until('listening null', 'polling lost', 'listening null')
    expect(wake.mock.calls.length).toBeGreaterThan(before)
  })

  test('is kept while notifications cannot be sent, as long as it answers', async () => {
    let broken = false
    const run: QueueConnection['run'] = (query) => (broken ? Promise.reject(new Error('no connection')) : connection.run(query))
    const { until, events } = await listen({ ...connection, run })
    await until('listening null')
    broken = true
    await queue.pool.query('select pg_sleep(1.5)')
    broken = false
    expect(events).toHaveLength(1)
    proxy.cut()
    await until('listening null', 'polling lost')
  })

  test('that hears nothing from the start, twice, is given up: there must be a pooler', async () => {
    // Nothing is sent, as if it went to another session.
    const run: QueueConnection['run'] = (query) => (query.name === 'jobs_notify' ? Promise.resolve([]) : connection.run(query))
    const { until, pooling, events } = await listen({ ...connection, run })
    await until('polling deaf', 'polling pooler')
    expect(events).toContainEqual({ name: 'pooler.found', sign: 'self_test' })
    expect(pooling.mode).toBe('transaction')
  })
})
