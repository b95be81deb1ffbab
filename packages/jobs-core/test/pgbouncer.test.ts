import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { cancelJob, migrate, migrationStatus } from '../src/admin/index.ts'
import { defineJob, enqueue, enqueueByType, enqueueMany, SnoozeError } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler, type WorkerOptions } from '../src/worker/index.ts'
import { type Pgbouncer, startPgbouncer } from './support/pgbouncer.ts'
import { useQueue } from './support/use-queue.ts'
import { killProcesses, startProcess } from './support/worker-process.ts'

const program = inject('pgbouncer')
if (!program) console.log('not run: 11 tests, needs pgbouncer')

const queue = useQueue()
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const definition = defineJob({ type: 'a_job', payload: z.any() })
const handler = defineHandler(definition, async ({ payload }) => ({ result: payload }))
const statuses = async () => (await queue.pool.query('select status, attempts, count(*)::int from job_queue group by 1, 2 order by 1')).rows

/** What PgBouncer's server connections have been left with: settings, prepared statements and LISTENs of ours. */
const leftovers = `select current_setting('enable_seqscan') as seqscan, current_setting('lock_timeout') as lock_timeout,
  (select count(*)::int from pg_prepared_statements) as prepared, (select count(*)::int from pg_listening_channels()) as listening`

function usePgbouncer(settings: Record<string, string | number>) {
  let pgbouncer: Pgbouncer
  let url = ''
  beforeAll(async () => {
    if (!program) return
    pgbouncer = await startPgbouncer(program, queue.connectionString, settings)
    url = pgbouncer.through(queue.connectionString)
  })
  afterAll(() => pgbouncer?.stop())
  return {
    url: () => url,
    /** Of every session, each held by a transaction so that the next client gets another. */
    async leftovers() {
      const sessions = (await pgbouncer.console('show servers')).length
      const clients = Array.from({ length: sessions }, () => new pg.Client({ connectionString: url }))
      for (const client of clients) await client.connect()
      for (const client of clients) await client.query('begin')
      const rows = await Promise.all(clients.map(async (client) => (await client.query(leftovers)).rows[0]))
      for (const client of clients) await client.end()
      return rows
    },
    start: (handlers: Parameters<typeof queue.startWorker>[0], options: Partial<WorkerOptions> = {}) =>
      queue.startWorker(handlers, { connection: url, ...options }),
  }
}

describe('through PgBouncer in transaction mode, with pooler: transaction', () => {
  // Fewer sessions than the worker has connections: they change hands all the time.
  const pgbouncer = usePgbouncer({ pool_mode: 'transaction', default_pool_size: 4 })
  const pooler = 'transaction'

  test.skipIf(!program)('thousands of jobs run once each, and nothing is left on the sessions', async () => {
    const worker = await pgbouncer.start([handler], { pooler, maxConcurrent: 10 })
    await enqueueMany(queue.db, definition, Array(3_000).fill({ payload: 1 }), shared())
    await queue.event('job.completed', () => queue.named('job.completed').length === 3_000)
    expect(await statuses()).toEqual([{ status: 'completed', attempts: 1, count: 3_000 }])
    expect(queue.named('settle.retried')).toEqual([])
    expect(queue.named('database.lost')).toEqual([])
    expect(queue.named('pooler.found')).toEqual([])
    expect(queue.named('wake.mode')).toMatchObject([{ mode: 'polling', reason: 'pooler' }])
    await worker.stop()
    for (const left of await pgbouncer.leftovers()) expect(left).toEqual({ seqscan: 'on', lock_timeout: '0', prepared: 0, listening: 0 })
  })

  test.skipIf(!program)('writes commit with their jobs, steps are kept, failures come back', async () => {
    const followUp = defineJob({ type: 'follow_up', payload: z.any() })
    const called: string[] = []
    const everything = defineHandler(definition, async ({ payload, job, step, progress }) => {
      const kept = await step('once', async () => {
        called.push('step')
        return 42
      })
      progress(0.5, 'half')
      if (payload === 'fails first' && job.attempt === 1) throw new Error('the first time')
      return { result: kept, write: (trx) => enqueue(trx, followUp, payload, shared()).then(() => {}) }
    })
    await pgbouncer.start([everything], { pooler, pollIntervalMs: 50, maxConcurrent: 10 })
    const many = await enqueueMany(queue.db, definition, Array(200).fill({ payload: 1 }), shared())
    for (const { id } of many) await waitForJob(queue.db, id)
    const { id } = await enqueue(queue.db, definition, 'fails first', shared())
    await waitForJob(queue.db, id, { status: 'retry' })
    await queue.pool.query('update job_queue set scheduled_for = now() where id = $1', [id])
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 2, result: 42 })
    expect(called).toHaveLength(201)
    const { rows } = await queue.pool.query(`select count(*)::int from job_queue where job_type = 'follow_up'`)
    expect(rows).toEqual([{ count: 201 }])
  })

  test.skipIf(!program)('a running job is cancelled', async () => {
    const waits = defineHandler(
      definition,
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    await pgbouncer.start([waits], { pooler, pollIntervalMs: 50 })
    const { id } = await enqueue(queue.db, definition, 1, shared())
    await queue.event('job.started')
    await cancelJob(queue.db, id, 'all')
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'cancelled' })
  })

  test.skipIf(!program)('a service that goes down holds its jobs up until it is back', async () => {
    const calls = new pg.Pool({ connectionString: pgbouncer.url(), max: 4 })
    const hears = defineHandler(
      definition,
      async () => {
        const { rows } = await calls.query(`select * from admit_service_call('captions')`)
        if (!rows[0].admitted) throw new SnoozeError(rows[0].wait_ms, 'captions is down')
        await calls.query(`select record_service_call('captions', $1, $2, 'success')`, [rows[0].opening, rows[0].probe])
      },
      { services: ['captions'] },
    )
    await pgbouncer.start([hears], { pooler, pollIntervalMs: 50 })
    await waitForJob(queue.db, (await enqueue(queue.db, definition, 1, shared())).id)
    await calls.query(`select record_service_call('captions', 0, null, 'fault')`)
    await queue.event('service.down')
    const { id } = await enqueue(queue.db, definition, 1, shared())
    expect(await queue.job(id)).toMatchObject({ status: 'pending', run: 0 })
    await queue.pool.query('update service_breakers set probe_at = clock_timestamp()')
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
    await queue.event('service.back')
    await calls.end()
  })

  test.skipIf(!program)('the jobs of a killed worker are rescued, and heartbeats of a blocked one go on', async () => {
    const options = { pooler, leaseMs: 2_000, pollIntervalMs: 50 } as const
    const blocked = await startProcess(pgbouncer.url(), { ...options })
    const { id: blocking } = await enqueueByType(queue.db, 't_block', 5_000, shared())
    await blocked.event('job.started')
    const killed = await startProcess(pgbouncer.url(), options)
    const { id } = await enqueueByType(queue.db, 't_wait', 1, shared())
    await killed.event('job.started')
    killed.signal('SIGKILL')
    const rescues = defineHandler(defineJob({ type: 't_wait', payload: z.any() }), async () => ({ result: 'rescued' }))
    await pgbouncer.start([rescues], options)
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: 'rescued', attempts: 2 })
    expect(await waitForJob(queue.db, blocking)).toMatchObject({ status: 'completed', attempts: 1, run: 1 })
    await killProcesses()
  })
})

describe('through PgBouncer in transaction mode, without a word', () => {
  const pgbouncer = usePgbouncer({ pool_mode: 'transaction' })

  test.skipIf(!program)('a worker finds out before it has left anything on a session, says so, and works', async () => {
    await pgbouncer.start([handler], { pollIntervalMs: 50 })
    expect(await queue.event('pooler.found')).toEqual({ name: 'pooler.found', sign: 'probe' })
    expect(await waitForJob(queue.db, (await enqueue(queue.db, definition, 1, shared())).id)).toMatchObject({ status: 'completed' })
    expect(await queue.event('wake.mode')).toMatchObject({ mode: 'polling', reason: 'pooler' })
    expect((await queue.pool.query('select wake_mode, idle from job_workers')).rows).toEqual([{ wake_mode: 'polling', idle: false }])
    const { rows } = await queue.pool.query(`select from pg_stat_activity where datname = current_database() and query ilike 'listen%'`)
    expect(rows).toEqual([])
  })

  test.skipIf(!program)('one that was told otherwise finds out by what goes astray, and loses nothing', async () => {
    await pgbouncer.start([handler], { pooler: 'session', maxConcurrent: 10, pollIntervalMs: 50 })
    await enqueueMany(queue.db, definition, Array(2_000).fill({ payload: 1 }), shared())
    await queue.event('job.completed', () => queue.named('job.completed').length === 2_000)
    expect(await queue.event('pooler.found')).toMatchObject({ sign: expect.stringMatching(/^(self_test|statement)$/) })
    expect(await statuses()).toEqual([{ status: 'completed', attempts: 1, count: 2_000 }])
  })

  test.skipIf(!program)('migrate refuses, and status answers', async () => {
    const pool = new pg.Pool({ connectionString: pgbouncer.url(), max: 1 })
    await expect(migrate(pool)).rejects.toMatchObject({ code: 'TRANSACTION_POOLER', message: expect.stringContaining('Connect past it') })
    expect(await migrationStatus(pool)).toContainEqual({ name: 'queue/0001_host_tables', applied: true })
    await pool.end()
  })
})

describe('through PgBouncer in session mode', () => {
  const pgbouncer = usePgbouncer({ pool_mode: 'session' })

  test.skipIf(!program)('everything is as without it: it listens, and is woken', async () => {
    await pgbouncer.start([handler], { pollIntervalMs: 60_000 })
    expect(await queue.event('wake.mode')).toMatchObject({ mode: 'listening' })
    await queue.untilAsleep()
    expect(await waitForJob(queue.db, (await enqueue(queue.db, definition, 1, shared())).id)).toMatchObject({ status: 'completed' })
    expect(queue.named('pooler.found')).toEqual([])
  })

  test.skipIf(!program)('migrate works', async () => {
    const pool = new pg.Pool({ connectionString: pgbouncer.url(), max: 1 })
    expect(await migrate(pool)).toEqual({ applied: [] })
    await pool.end()
  })
})

describe('through PgBouncer in statement mode', () => {
  const pgbouncer = usePgbouncer({ pool_mode: 'statement' })

  test.skipIf(!program)('a worker does not start, and says why', async () => {
    await expect(pgbouncer.start([handler])).rejects.toMatchObject({ code: 'POOLER_UNUSABLE' })
  })
})
