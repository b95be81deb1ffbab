import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueueByType } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { useQueue } from './support/use-queue.ts'
import { killProcesses, startProcess } from './support/worker-process.ts'

const queue = useQueue()
afterEach(killProcesses)

// Long enough for a machine that has much else to do.
const options = { leaseMs: 3_000, pollIntervalMs: 50 }
const blocks = defineJob({ type: 't_block', payload: z.number() })
const elsewhere = defineHandler(blocks, async () => ({ result: { by: 'the other worker' } }))
const block = async (ms: number) => (await enqueueByType(queue.db, 't_block', ms, { collectionNodeId: queue.collectionNodeId })).id

describe('a handler that blocks the event loop', () => {
  test('for several leases does not cost its worker the lease; the worker tells of it, also in its row', async () => {
    // Long enough that a busy machine renews it in time.
    const patient = { ...options, leaseMs: 3_000 }
    const worker = await startProcess(queue.connectionString, patient)
    const id = await block(10_000)
    await worker.event('job.started')
    await queue.startWorker([elsewhere], patient)
    const silent = `select from job_workers where pid = $1 and loop_silent_ms > 6000 and lease_expires_at > clock_timestamp()`
    while ((await queue.pool.query(silent, [worker.pid])).rows.length === 0) await queue.pool.query('select pg_sleep(0.05)')
    expect(await queue.job(id)).toMatchObject({ status: 'running' })
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1, run: 1, result: { by: worker.pid } })
    expect(await worker.event('loop.blocked')).toMatchObject({ blockedMs: expect.toSatisfy((ms: number) => ms > 9_000) })
    expect(worker.events.filter(({ name }) => name === 'lease.lost')).toEqual([])
  }, 60_000)

  test('for longer than maxLoopBlockMs is taken for dead: its job runs elsewhere, and its worker registers anew', async () => {
    const worker = await startProcess(queue.connectionString, { ...options, maxLoopBlockMs: 1_000 })
    const id = await block(10_000)
    await worker.event('job.started')
    await queue.startWorker([elsewhere], options)
    const job = await waitForJob(queue.db, id)
    expect(job).toMatchObject({ status: 'completed', attempts: 2, result: { by: 'the other worker' } })
    await worker.event('lease.lost')
    const firstId = worker.events.flatMap((event) => (event.name === 'worker.started' ? [event.workerId] : []))[0]
    await worker.event('worker.started', (event) => event.name === 'worker.started' && event.workerId !== firstId)
    expect(await queue.job(id)).toEqual(job)
    expect(worker.events.filter((event) => event.name === 'job.completed')).toEqual([])
  }, 60_000)
})

test('a thread that is slow to begin does not cost the lease', async () => {
  const late = fileURLToPath(new URL('./fixtures/slow-thread.mjs', import.meta.url))
  const worker = await startProcess(queue.connectionString, { leaseMs: 2_000, pollIntervalMs: 50, maxConcurrent: 1 }, ['--import', late])
  await queue.startWorker([], options)
  const { id } = await enqueueByType(queue.db, 't_wait', 1, { collectionNodeId: queue.collectionNodeId })
  await worker.event('job.started')
  await queue.pool.query('select pg_sleep(5)')
  worker.tell('ok')
  expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1, run: 1 })
  expect(worker.events.filter(({ name }) => name === 'lease.lost' || name === 'heartbeat.inline')).toEqual([])
})

describe('where no thread can be had', () => {
  test('heartbeats come from the event loop, and that is told', async () => {
    // A function cannot be handed to a thread.
    const connection = { connectionString: queue.connectionString, types: { getTypeParser: () => (text: string) => text } }
    await queue.startWorker([elsewhere], { ...options, connection: connection as never })
    expect(await queue.event('heartbeat.inline')).toMatchObject({ error: { message: expect.stringContaining('could not be cloned') } })
    const renewed = 'select from job_workers where heartbeat_at > registered_at and dead_at is null'
    while ((await queue.pool.query(renewed)).rows.length === 0) await queue.pool.query('select pg_sleep(0.05)')
  })
})
