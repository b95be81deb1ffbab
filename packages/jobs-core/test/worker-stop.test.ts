import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { createWorker, defineHandler } from '../src/worker/index.ts'
import { claimsAhead } from './support/claim-ahead.ts'
import { deferred } from './support/deferred.ts'
import { startProxy } from './support/proxy.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any(), maxAttempts: 3 })
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const statuses = async () => {
  const { rows } = await queue.pool.query('select status, attempts, count(*)::int from job_queue group by 1, 2 order by 1')
  return rows.map((row) => `${row.count} ${row.status}, ${row.attempts}`)
}
const started = (count: number) => queue.event('job.started', () => queue.named('job.started').length === count)
const workers = async () => (await queue.pool.query('select id, draining from job_workers')).rows

describe('a worker that stops', () => {
  test('lets running jobs finish, claims nothing more, and leaves no trace of itself', async () => {
    const ends = deferred()
    const worker = await queue.startWorker([defineHandler(definition, () => ends.promise)])
    await enqueueMany(queue.db, definition, Array(13).fill({ payload: 1 }), shared())
    await started(3)
    const stopping = worker.stop()
    await queue.event('worker.draining')
    ends.resolve()
    await stopping
    expect(await statuses()).toEqual(['10 pending, 0', '3 completed, 1'])
    expect(await workers()).toEqual([])
    expect(queue.events.at(-1)).toEqual({ name: 'worker.stopped' })
  })

  test('says that it drains, and settles what ends while it does', async () => {
    const [first, second] = [deferred(), deferred()]
    const worker = await queue.startWorker([defineHandler(definition, ({ payload }) => (payload === 1 ? first : second).promise)], {
      drainMs: 20_000,
    })
    const [one] = await enqueueMany(queue.db, definition, [{ payload: 1 }, { payload: 2 }], shared())
    await started(2)
    const stopping = worker.stop()
    first.resolve()
    expect(await waitForJob(queue.db, one?.id ?? '', { timeoutMs: 2_000 })).toMatchObject({ status: 'completed' })
    await vi.waitFor(async () => expect(await workers()).toMatchObject([{ draining: true }]), { timeout: 5_000 })
    second.resolve()
    await stopping
    expect(await statuses()).toEqual(['2 completed, 1'])
  })

  test('aborts what is not done in time and hands it back, uncharged and on record', async () => {
    const reasons: unknown[] = []
    const obeys = defineHandler(definition, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      reasons.push(signal.reason.code)
      throw signal.reason
    })
    const worker = await queue.startWorker([obeys], { drainMs: 0 })
    const { id } = await enqueue(queue.db, definition, 1, shared())
    const again = await queue.insert({ job_type: 'a_job', status: 'retry', attempts: 1 })
    await started(2)
    await worker.stop()
    expect(reasons).toEqual(['WORKER_STOPPING', 'WORKER_STOPPING'])
    expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0, error_msg: expect.stringContaining('not charged') })
    expect(await queue.job(again.id)).toMatchObject({ status: 'retry', attempts: 1 })
    expect(await queue.attempts(id)).toMatchObject([{ run: 1, attempt: 1, end_reason: 'interrupted', error_code: 'INTERRUPTED' }])
    expect(queue.named('job.released')).toMatchObject([{ started: true }, { started: true }])
    expect(await queue.dueInMs(id)).toBeLessThanOrEqual(0)
  })

  test('hurries when it is asked again with less time', async () => {
    const obeys = defineHandler(definition, ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)))
    const worker = await queue.startWorker([obeys], { drainMs: 600_000 })
    const { id } = await enqueue(queue.db, definition, 1, shared())
    await started(1)
    const stopping = worker.stop()
    await queue.event('worker.draining')
    expect((await queue.job(id)).status).toBe('running')
    await Promise.all([worker.stop({ drainMs: 0 }), stopping, worker.stopped])
    expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0 })
  })

  test('waits for nothing any more once its lease is lost: others run its jobs', async () => {
    let reason: unknown
    const obeys = defineHandler(definition, ({ signal }) => {
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason.code
          reject(signal.reason)
        })
      })
    })
    const worker = await queue.startWorker([obeys], { drainMs: 600_000, leaseMs: 1_000 })
    const { id } = await enqueue(queue.db, definition, 1, shared())
    await started(1)
    const stopping = worker.stop()
    await queue.event('worker.draining')
    await queue.pool.query('update job_workers set dead_at = clock_timestamp()')
    await stopping
    expect(reason).toBe('LEASE_LOST')
    expect(await queue.job(id)).toMatchObject({ status: 'running', attempts: 1 })
    expect(await queue.attempts(id)).toEqual([])
  })

  test('hands back even a handler that does not listen, whose late result counts for nothing', async () => {
    const ends = deferred()
    const worker = await queue.startWorker([defineHandler(definition, async () => ({ result: await ends.promise.then(() => 'late') }))], {
      drainMs: 0,
    })
    const { id } = await enqueue(queue.db, definition, 1, shared())
    await started(1)
    await worker.stop()
    expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0 })
    ends.resolve()
    await queue.startWorker([defineHandler(definition, async () => ({ result: 'second run' }))])
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: 'second run', run: 2, attempts: 1 })
  })

  test('hands back what it had only claimed ahead, without a record', async () => {
    const { handlers, arrange } = claimsAhead(queue)
    const worker = await queue.startWorker(handlers, { maxConcurrent: 1 })
    const { ids, ends } = await arrange()
    const stopping = worker.stop()
    await queue.event('job.released', (event) => event.jobId === ids.at(-1))
    ends.resolve()
    await stopping
    for (const id of ids) expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0, prefetched: false })
    expect((await queue.pool.query('select from job_attempts')).rows).toEqual([])
    expect(queue.named('job.released').every((event) => event.started === false)).toBe(true)
  })

  test('stops once, however often it is asked, and cannot be started again', async () => {
    const worker = await queue.startWorker([defineHandler(definition, async () => {})])
    await Promise.all([worker.stop(), worker.stop(), worker.stopped])
    await worker.stop()
    await worker.start()
    expect(queue.named('worker.stopped')).toHaveLength(1)
    expect(queue.named('worker.started')).toHaveLength(1)
  })

  test('may be stopped before, while and right after it starts', async () => {
    for (let round = 0; round < 20; round++) {
      const worker = createWorker({ connection: queue.connectionString, handlers: [defineHandler(definition, async () => {})], drainMs: 0 })
      const starting = round === 0 ? undefined : worker.start()
      if (round % 2) await starting
      await Promise.all([worker.stop(), starting])
    }
    expect(await workers()).toEqual([])
    const connections = `select from pg_stat_activity where datname = current_database() and application_name like 'sidelinja%'`
    await vi.waitFor(async () => expect((await queue.pool.query(connections)).rows).toEqual([]), { timeout: 5_000 })
  })

  test('may be stopped while it waits for a database that is away', async () => {
    const proxy = await startProxy(queue.connectionString)
    proxy.cut()
    const events: string[] = []
    const worker = createWorker({
      ...{ connection: proxy.connectionString, handlers: [defineHandler(definition, async () => {})] },
      onEvent: (event) => events.push(event.name),
    })
    const starting = worker.start()
    while (!events.includes('database.lost')) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([worker.stop(), starting])
    expect(events.at(-1)).toBe('worker.stopped')
    expect(events).not.toContain('worker.started')
    await proxy.close()
  })

  test('gives up at the lease what it cannot settle because the database is away', async () => {
    const proxy = await startProxy(queue.connectionString)
    const ends = deferred()
    const worker = await queue.startWorker([defineHandler(definition, () => ends.promise)], {
      ...{ connection: proxy.connectionString, leaseMs: 1_000, drainMs: 0 },
    })
    const { id } = await enqueue(queue.db, definition, 1, shared())
    await started(1)
    proxy.cut()
    ends.resolve()
    await worker.stop()
    expect((await queue.job(id)).status).toBe('running')
    await proxy.close()
  })
})
