import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { startProxy, type TestProxy } from './support/proxy.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const handler = defineHandler(definition, async () => ({ result: 'done' }))
const add = async () => (await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })).id
const starts = (id: string) => queue.named('job.started').filter((event) => event.jobId === id).length

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startProxy(queue.connectionString)
})
afterEach(() => proxy.mend())
afterAll(() => proxy.close())

const terminateAll = () =>
  queue.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and (application_name like 'sidelinja%' or query ilike 'listen%')`,
  )

describe('a worker whose connections all break', () => {
  test('while it is idle runs the next job, within a poll', async () => {
    await queue.startWorker([handler])
    await waitForJob(queue.db, await add())
    for (let round = 0; round < 3; round++) {
      expect((await terminateAll()).rows.length).toBeGreaterThan(0)
      expect(await waitForJob(queue.db, await add(), { timeoutMs: 5_000 })).toMatchObject({ status: 'completed', attempts: 1 })
    }
  })

  test('while a job runs stores its outcome, once', async () => {
    const ends = deferred()
    await queue.startWorker([
      defineHandler(definition, async () => {
        await ends.promise
        return { result: 'done' }
      }),
    ])
    const id = await add()
    await queue.event('job.started')
    await terminateAll()
    ends.resolve()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: 'done', attempts: 1 })
    expect(starts(id)).toBe(1)
  })

  test('in the middle of many jobs loses none and runs none twice at a time', async () => {
    await queue.startWorker([handler], { maxConcurrent: 10 })
    const results = await enqueueMany(queue.db, definition, Array(3_000).fill({ payload: 1 }), { collectionNodeId: queue.collectionNodeId })
    for (let n = 1; n <= 5; n++) {
      await queue.event('job.completed', () => queue.named('job.completed').length > n * 400)
      await terminateAll()
    }
    for (const { id } of results) await waitForJob(queue.db, id)
    const { rows } = await queue.pool.query('select status, attempts, count(*)::int from job_queue group by 1, 2')
    expect(rows).toEqual([{ status: 'completed', attempts: 1, count: 3_000 }])
  })
})

describe('a database that is away for a while', () => {
  test('is tried at most about five times a second, and the worker goes on when it is back', async () => {
    await queue.startWorker([handler], { connection: proxy.connectionString })
    await waitForJob(queue.db, await add())
    proxy.cut()
    const id = await add()
    await queue.event('database.lost')
    await queue.pool.query('select pg_sleep(1)')
    // The loop, the heartbeat, the rescuer and the listener, each less and less often.
    expect(proxy.refused).toBeLessThan(15)
    proxy.mend()
    expect(await waitForJob(queue.db, id, { timeoutMs: 10_000 })).toMatchObject({ status: 'completed', attempts: 1 })
    expect((await queue.event('database.back')).afterMs).toBeGreaterThan(0)
  })

  test('costs a job that ended meanwhile nothing: not an attempt, not a second run', async () => {
    const effect = vi.fn()
    await queue.startWorker(
      [
        defineHandler(definition, async ({ payload }) => {
          effect()
          proxy.cut()
          if (payload === 'fails') throw new Error('its own fault')
          return { result: 'done' }
        }),
      ],
      { connection: proxy.connectionString, maxConcurrent: 1 },
    )
    const id = await add()
    await queue.event('settle.retried')
    proxy.mend()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: 'done', attempts: 1, error_msg: null })
    const failing = await enqueue(queue.db, definition, 'fails', { collectionNodeId: queue.collectionNodeId })
    await queue.event('job.started', (event) => event.jobId === failing.id)
    await queue.event('settle.retried', (event) => event.error.message !== '')
    proxy.mend()
    expect(await waitForJob(queue.db, failing.id, { status: 'retry' })).toMatchObject({ attempts: 1, error_msg: 'its own fault' })
    expect(effect).toHaveBeenCalledTimes(2)
  })

  test('that is away at the start is waited for', async () => {
    proxy.cut()
    const starting = queue.startWorker([handler], { connection: proxy.connectionString })
    await queue.event('database.lost', (event) => event.during === 'start')
    proxy.mend()
    await starting
    expect(await waitForJob(queue.db, await add())).toMatchObject({ status: 'completed' })
  })

  test('that comes back read-only is a database that is away', async () => {
    await queue.startWorker([handler])
    const name = new URL(queue.connectionString).pathname.slice(1)
    const readOnly = (on: boolean) => queue.pool.query(`alter database ${name} set default_transaction_read_only = ${on}`)
    await readOnly(true)
    await terminateAll()
    const client = await queue.pool.connect()
    await client.query('set default_transaction_read_only = off')
    const id = (await enqueue(client, definition, 1, { collectionNodeId: queue.collectionNodeId })).id
    client.release(true)
    await queue.event('database.lost', (event) => event.error.message.includes('read-only'))
    const other = await queue.pool.connect()
    await other.query('set default_transaction_read_only = off')
    await other.query(`alter database ${name} set default_transaction_read_only = off`)
    other.release(true)
    await terminateAll()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
  })
})

describe('an answer that got lost', () => {
  test('of a settle that committed: the job is reported completed once, and not settled again', async () => {
    const ends = deferred()
    await queue.startWorker([defineHandler(definition, () => ends.promise)], { connection: proxy.connectionString, pollIntervalMs: 60_000 })
    const id = await add()
    await queue.event('job.started')
    await queue.untilAsleep()
    proxy.loseNextAnswer(/jobs_settle_and_claim/)
    ends.resolve()
    const job = await waitForJob(queue.db, id)
    await queue.event('job.completed')
    expect(await queue.job(id)).toEqual(job)
    await waitForJob(queue.db, await add())
    expect(queue.named('job.completed').filter((event) => event.jobId === id)).toHaveLength(1)
    expect(queue.named('job.gone')).toEqual([])
  })

  test('of a settled failure: the attempt is counted and recorded once', async () => {
    const ends = deferred()
    await queue.startWorker([defineHandler(definition, () => ends.promise.then(() => Promise.reject(new Error('once'))))], {
      connection: proxy.connectionString,
    })
    const id = await add()
    await queue.event('job.started')
    proxy.loseNextAnswer(/jobs_settle_endings/)
    ends.resolve()
    await waitForJob(queue.db, id, { status: 'retry' })
    await queue.event('settle.retried')
    await waitForJob(queue.db, await add(), { status: 'retry' })
    expect(await queue.job(id)).toMatchObject({ status: 'retry', attempts: 1 })
    expect(await queue.attempts(id)).toHaveLength(1)
  })

  test('of a write that committed: its effect is there once, and the job is completed', async () => {
    const ends = deferred()
    await queue.startWorker(
      [
        defineHandler(definition, async () => {
          await ends.promise
          return {
            write: async (trx) => {
              await enqueue(trx, defineJob({ type: 'follow_up', payload: z.any() }), 1, { collectionNodeId: queue.collectionNodeId })
              proxy.loseNextAnswer(/commit/i)
            },
          }
        }),
      ],
      { connection: proxy.connectionString },
    )
    const id = await add()
    ends.resolve()
    await queue.event('job.completed', (event) => event.jobId === id)
    expect(await queue.job(id)).toMatchObject({ status: 'completed', attempts: 1 })
    const { rows } = await queue.pool.query(`select count(*)::int from job_queue where job_type = 'follow_up'`)
    expect(rows).toEqual([{ count: 1 }])
  })

  test('of a claim: what it took, and nobody knows of, is handed back and run', async () => {
    await queue.startWorker([handler], { connection: proxy.connectionString, pollIntervalMs: 60_000 })
    await queue.untilAsleep()
    proxy.loseNextAnswer(/jobs_settle_and_claim/)
    const ids = await enqueueMany(queue.db, definition, Array(3).fill({ payload: 1 }), { collectionNodeId: queue.collectionNodeId })
    const jobs = await Promise.all(ids.map(({ id }) => waitForJob(queue.db, id)))
    expect(jobs.map(({ status, attempts }) => [status, attempts])).toEqual(Array(3).fill(['completed', 1]))
    expect(Math.max(...jobs.map(({ run }) => run))).toBe(2)
    for (const { id } of ids) expect(starts(id)).toBe(1)
  })
})
