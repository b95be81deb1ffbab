import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { z } from 'zod'
import { migrate } from '../src/admin/index.ts'
import { defineJob, enqueue, enqueueMany } from '../src/index.ts'
import { startEmbeddedPostgres, waitForJob } from '../src/testing/index.ts'
import { createWorker, defineHandler, surviveDisconnects, type WorkerEvent } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { startProxy, type TestProxy } from './support/proxy.ts'
import { useQueue } from './support/use-queue.ts'

/** A second and a half; `npm run outages` has it last 20 s. */
const outageMs = inject('outageMs')
const timeout = 30_000 + 4 * outageMs
/** Four tries a second of the worker, one every quarter of a beat of its heartbeat, and what was under way. */
const mostTries = (ms: number) => 5 * (ms / 1_000) + 3
/** How soon after the end of an outage a job must have run: the longest pause between two tries, and time for a busy machine. */
const soonMs = 10_000

const queue = useQueue()
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const definition = defineJob({ type: 'a_job', payload: z.any() })
const handler = defineHandler(definition, async () => ({ result: 'done' }))
const add = async () => (await enqueue(queue.db, definition, 1, shared())).id
const completed = (id: string) => waitForJob(queue.db, id, { timeoutMs: soonMs })
const lasting = (ms = outageMs) => queue.pool.query('select pg_sleep($1::float8 / 1000)', [ms])

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startProxy(queue.connectionString)
})
afterEach(() => proxy.mend())
afterAll(() => proxy.close())

describe('a database that is away', () => {
  test('is tried at a bounded rate by an idle worker, told once, and back within seconds', { timeout }, async () => {
    await queue.startWorker([handler], { connection: proxy.connectionString, pollIntervalMs: 20 })
    await completed(await add())
    await queue.event('wake.mode')
    proxy.cut()
    await lasting()
    expect(proxy.refused).toBeLessThanOrEqual(mostTries(outageMs))
    expect(queue.named('database.lost')).toHaveLength(1)
    proxy.mend()
    await completed(await add())
    await queue.event('database.back')
    expect(queue.named('database.back')).toHaveLength(1)
    await queue.event(
      'wake.mode',
      () =>
        queue
          .named('wake.mode')
          .map(({ mode }) => mode)
          .join() === 'listening,polling,listening',
    )
  })

  test('while 20 jobs end, with and without writes and errors, is tried no more often; each outcome is kept', { timeout }, async () => {
    const ends = deferred()
    const mixed = defineHandler(definition, async ({ payload }) => {
      await ends.promise
      if (payload % 4 === 0) throw new Error('its own fault')
      return payload % 4 === 1 ? { write: (trx) => enqueue(trx, written, payload, shared()).then(() => {}) } : { result: payload }
    })
    const written = defineJob({ type: 'written', payload: z.any() })
    await queue.startWorker([mixed], { connection: proxy.connectionString, pollIntervalMs: 20, leaseMs: 60_000, maxConcurrent: 20 })
    const jobs = await enqueueMany(
      queue.db,
      definition,
      Array.from({ length: 20 }, (_, payload) => ({ payload })),
      shared(),
    )
    await queue.event('job.started', () => queue.named('job.started').length === 20)
    proxy.cut()
    ends.resolve()
    await lasting()
    expect(proxy.refused).toBeLessThanOrEqual(mostTries(outageMs))
    proxy.mend()
    for (const [n, { id }] of jobs.entries()) {
      const job = await waitForJob(queue.db, id, { status: n % 4 === 0 ? 'retry' : 'completed', timeoutMs: soonMs })
      expect(job).toMatchObject({ attempts: 1, run: 1, error_msg: n % 4 === 0 ? 'its own fault' : null })
    }
    const { rows } = await queue.pool.query(`select count(*)::int from job_queue where job_type = 'written'`)
    expect(rows).toEqual([{ count: 5 }])
  })

  test('as a handler returns costs neither an attempt nor a second effect', { timeout }, async () => {
    await queue.pool.query('create table if not exists counter (n integer)')
    await queue.pool.query('insert into counter values (0)')
    const counts = defineHandler(definition, async () => {
      await queue.pool.query('update counter set n = n + 1')
      proxy.cut()
      return { result: 'done' }
    })
    await queue.startWorker([counts], { connection: proxy.connectionString, leaseMs: 20_000 + 3 * outageMs })
    const id = await add()
    await queue.event('database.lost')
    await lasting(Math.max(outageMs, 3_000))
    proxy.mend()
    expect(await completed(id)).toMatchObject({ status: 'completed', attempts: 1, run: 1, error_msg: null })
    expect((await queue.pool.query('select n from counter')).rows).toEqual([{ n: 1 }])
  })
})

describe('a server that ends and starts again', () => {
  test.each(['stop', 'kill'])(
    '(%s) finds its worker still there, and the outcome of what ran',
    { timeout: timeout + 60_000 },
    async (how) => {
      const dataFolder = await mkdtemp(join(tmpdir(), 'sidelinja-outage-'))
      let server = await startEmbeddedPostgres({ dataFolder, port: 0, durable: true })
      const connectionString = server.tcpConnectionString() ?? ''
      const port = Number(new URL(connectionString).port)
      const pool = surviveDisconnects(new pg.Pool({ connectionString }))
      const events: WorkerEvent[] = []
      const said = (name: WorkerEvent['name']) =>
        vi.waitFor(() => expect(events.map((event) => event.name)).toContain(name), { timeout: soonMs })
      const ends = deferred()
      const waits = defineHandler(definition, ({ payload }) => (payload === 'waits' ? ends.promise : Promise.resolve()))
      const worker = createWorker({
        connection: connectionString,
        handlers: [waits],
        leaseMs: 60_000,
        onEvent: (event) => events.push(event),
      })
      try {
        await migrate(pool)
        const { rows } = await pool.query(`insert into nodes (kind, title) values ('collection', 'x') returning id`)
        const add = (payload: string) => enqueue(pool, definition, payload, { collectionNodeId: rows[0].id })
        await worker.start()
        const { id } = await add('waits')
        await said('job.started')
        if (how === 'kill') process.kill(Number((await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGQUIT')
        await server.stop()
        ends.resolve()
        await said('database.lost')
        await lasting()
        server = await startEmbeddedPostgres({ dataFolder, port, durable: true })
        expect(await waitForJob(pool, id, { timeoutMs: soonMs })).toMatchObject({ status: 'completed', attempts: 1, run: 1 })
        expect(await waitForJob(pool, (await add('next')).id, { timeoutMs: soonMs })).toMatchObject({ status: 'completed' })
      } finally {
        await worker.stop()
        await pool.end()
        await server.stop()
        await rm(dataFolder, { recursive: true, force: true })
      }
    },
  )
})

describe('a database that is read-only', () => {
  test('is told once, asked less and less often, and taken up again by itself', { timeout }, async () => {
    const ends = deferred()
    const waits = defineHandler(definition, ({ payload }) => (payload === 'waits' ? ends.promise : Promise.resolve()))
    await queue.startWorker([waits], { connection: proxy.connectionString, pollIntervalMs: 20, leaseMs: 60_000 })
    const { id } = await enqueue(queue.db, definition, 'waits', shared())
    await queue.event('job.started')
    await setReadOnly(true)
    ends.resolve()
    await queue.event('database.lost', ({ error }) => error.code === '25006')
    const before = queue.events.length
    await lasting()
    expect(queue.named('database.lost').filter(({ error }) => error.code === '25006')).toHaveLength(1)
    // The outcome that waits is tried again: after 50 ms, 100 ms … up to every 5 s.
    expect(queue.events.length - before).toBeLessThan(12)
    await setReadOnly(false)
    expect(await completed(id)).toMatchObject({ status: 'completed', attempts: 1, run: 1 })
    await completed(await add())
  })

  async function setReadOnly(on: boolean): Promise<void> {
    const client = await queue.pool.connect()
    await client.query('set default_transaction_read_only = off')
    const name = new URL(queue.connectionString).pathname.slice(1)
    await client.query(`alter database ${name} set default_transaction_read_only = ${on}`)
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'sidelinja-jobs%'`,
    )
    client.release()
  }
})

// Statements are given 20 s to be answered: too long to wait for in every run of all tests.
if (outageMs >= 15_000) {
  test('connections that are dead without saying so are found within 30 s, and what was under way is not lost', { timeout }, async () => {
    const ends = deferred()
    await queue.startWorker([defineHandler(definition, () => ends.promise)], { connection: proxy.connectionString, leaseMs: 120_000 })
    const id = await add()
    await queue.event('job.started')
    proxy.freeze()
    ends.resolve()
    expect(await waitForJob(queue.db, id, { timeoutMs: 30_000 })).toMatchObject({ status: 'completed', attempts: 1, run: 1 })
  })
}
