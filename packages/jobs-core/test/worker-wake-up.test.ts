import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { retryJob } from '../src/admin/index.ts'
import { defineJob, enqueue, enqueueMany } from '../src/index.ts'
import { insertJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { holdTransaction } from './support/hold-lock.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const handler = defineHandler(definition, async () => {})
/** So long that a test which waits for the poll does not end in time. */
const pollIntervalMs = 60_000
const add = async (options: object = {}) =>
  (await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId, ...options })).id
const completed = (id: string) => queue.event('job.completed', (event) => event.jobId === id)

describe('a worker that sleeps', () => {
  test.each([0, 10])('is woken by an enqueue of priority %i, long before it would poll', async (priority) => {
    await queue.startWorker([handler], { pollIntervalMs })
    await queue.untilAsleep()
    await completed(await add({ priority }))
  })

  test('is woken by the commit, not by the insert', async () => {
    await queue.startWorker([handler], { pollIntervalMs })
    await queue.untilAsleep()
    const id = await queue.db.transaction().execute(async (trx) => {
      const { id } = await enqueue(trx, definition, 1, { collectionNodeId: queue.collectionNodeId })
      const other = await add()
      await completed(other)
      await queue.untilAsleep()
      return id
    })
    await completed(id)
  })

  test('is not woken by a job that is not due, nor by one of a type it does not know', async () => {
    await queue.startWorker([handler], { pollIntervalMs })
    await queue.untilAsleep()
    const listener = await queue.pool.connect()
    let notified = 0
    listener.on('notification', () => notified++)
    await listener.query('listen job_queue_wake')
    await add({ scheduledFor: new Date(Date.now() + 3_600_000), priority: 10 })
    await insertJob(queue.db, { collection_node_id: queue.collectionNodeId, job_type: 'unknown_job', priority: 10 })
    await listener.query('select 1')
    expect(notified).toBe(0)
    const many = await enqueueMany(queue.db, definition, Array(20).fill({ payload: 1 }), { collectionNodeId: queue.collectionNodeId })
    await completed(many.at(-1)?.id ?? '')
    await listener.query('unlisten *')
    expect(notified).toBe(1)
    listener.release()
  })

  test("is woken by an admin's retry", async () => {
    const { id } = await queue.insert({ job_type: 'a_job', status: 'error' })
    await queue.startWorker([handler], { pollIntervalMs })
    await queue.untilAsleep()
    await retryJob(queue.db, id, 'all')
    await completed(id)
  })

  test("is woken by another worker's hand-back", async () => {
    const obeys = defineHandler(definition, ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)))
    const busy = await queue.startWorker([obeys], { pollIntervalMs, drainMs: 0 })
    const id = await add()
    await queue.event('job.started', (event) => event.jobId === id)
    await queue.startWorker([handler], { pollIntervalMs })
    await queue.untilAsleep()
    await busy.stop()
    await completed(id)
  })

  test('says that it is idle only while it is', async () => {
    const ends = deferred()
    await queue.startWorker([defineHandler(definition, () => ends.promise)], { pollIntervalMs, maxConcurrent: 1 })
    await queue.untilAsleep()
    const { rows } = await queue.pool.query('select idle, draining, types from job_workers')
    expect(rows).toEqual([{ idle: true, draining: false, types: ['a_job'] }])
    ends.resolve()
  })
})

describe('an enqueue just while the worker goes idle', () => {
  test.each([0, 10])('is found within moments, again and again (priority %i)', async (priority) => {
    await queue.startWorker([handler], { pollIntervalMs })
    // Each job is enqueued as soon as the one before ended: in every phase of falling asleep.
    for (let n = 0; n < 150; n++) {
      for (let spin = 0; spin < n % 30; spin++) await new Promise((resolve) => setImmediate(resolve))
      await completed(await add({ priority }))
    }
  })

  test('that commits late is found also after a long time with every slot taken', async () => {
    const ends = [deferred(), deferred()]
    const blocks = defineJob({ type: 'blocks', payload: z.number() })
    await queue.startWorker([handler, defineHandler(blocks, ({ payload }) => ends[payload]?.promise ?? Promise.resolve())], {
      ...{ pollIntervalMs, maxConcurrent: 1 },
    })
    const [first, second] = await enqueueMany(queue.db, blocks, [{ payload: 0 }, { payload: 1 }], {
      collectionNodeId: queue.collectionNodeId,
    })
    await queue.event('job.started', (event) => event.jobId === first?.id)
    // Busy for half a second, it wants no notifications any more; and while nothing is free, all its early polls go by.
    await queue.pool.query('select pg_sleep(0.55)')
    ends[0]?.resolve()
    await queue.event('job.started', (event) => event.jobId === second?.id)
    const idle = async () => (await queue.pool.query('select idle from job_workers')).rows[0].idle
    await vi.waitFor(async () => expect(await idle()).toBe(false))
    await queue.pool.query('select pg_sleep(0.5)')
    const open = await holdTransaction(queue.pool, `select enqueue_job($1, 'a_job', '"late"')`, [queue.collectionNodeId])
    const { rows } = await open.query(`select id from job_queue where payload = '"late"'`)
    ends[1]?.resolve()
    await vi.waitFor(async () => expect(await idle()).toBe(true), { interval: 1 })
    await open.commit()
    await completed(String(rows[0]?.id))
  })

  test('that commits late, having seen nobody idle, is found by the early polls', async () => {
    await queue.startWorker([handler], { pollIntervalMs })
    for (let n = 0; n < 20; n++) {
      await queue.pool.query('update job_workers set idle = false')
      const open = await holdTransaction(queue.pool, `select enqueue_job($1, 'a_job', '"late"')`, [queue.collectionNodeId])
      await queue.pool.query('update job_workers set idle = true')
      // The worker wakes for this one, goes idle anew, and its early polls run while the other is committed.
      const other = await add()
      await completed(other)
      await open.commit()
      const { rows } = await queue.pool.query(`select id from job_queue where payload = '"late"' order by sequence desc limit 1`)
      await completed(rows[0].id)
    }
  })
})

describe('a worker whose LISTEN broke', () => {
  test('says so, listens again, and finds what was enqueued meanwhile', async () => {
    await queue.startWorker([handler], { pollIntervalMs })
    await queue.untilAsleep()
    await queue.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'`,
    )
    expect(await queue.event('wake.mode', ({ mode }) => mode === 'polling')).toMatchObject({
      reason: 'lost',
      error: { message: expect.any(String) },
    })
    await completed(await add())
    await queue.untilAsleep()
    await completed(await add())
  })
})
