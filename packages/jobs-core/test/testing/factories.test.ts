import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { JOB_STATUSES } from '../../src/admin/index.ts'
import { clearQueue, createTestDatabase, insertJob, insertNode, insertWorker, type TestDatabase } from '../../src/testing/index.ts'
import { createWorker } from '../../src/worker/index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())

const count = async (table: string) => (await database.query(`select count(*)::int as n from ${table}`)).rows[0]?.n
const attempts = async (id: string) => (await database.query('select * from job_attempts where job_id = $1 order by run', [id])).rows

describe('insertNode', () => {
  test('makes a collection, and whatever else is wanted', async () => {
    expect(await insertNode(database)).toMatchObject({ id: expect.any(String), kind: 'collection', metadata: {} })
    const columns = { kind: 'episode', title: 'One', metadata: { jobs: { language: 'nn' } }, created_at: new Date(0) }
    expect(await insertNode(database.db, columns)).toMatchObject(columns)
    expect(await insertNode(database.pool, { metadata: '{"a": 1}' })).toMatchObject({ metadata: { a: 1 } })
  })
})

describe('insertJob', () => {
  test.each(JOB_STATUSES)('makes one that is %s', async (status) => {
    const job = await insertJob(database, { status })
    expect(job).toMatchObject({
      status,
      job_type: 'test_job',
      payload: {},
      failed: status === 'error',
      ready: ['pending', 'retry'].includes(status),
    })
    expect(await attempts(job.id)).toHaveLength({ pending: 0, running: 0, completed: 0, error: 3, retry: 1, cancelled: 0 }[status])
  })

  test('takes every column by its name, payload and result as objects', async () => {
    const node = await insertNode(database)
    const columns = {
      ...{ collection_node_id: node.id, job_type: 'send_mail', priority: 7, max_attempts: 5, correlation_id: 'c' },
      ...{ status: 'completed' as const, payload: { to: ['ada'] }, result: { sent: 1 }, attempts: 2, run: 4, progress: 0.5, rescues: 1 },
    }
    const job = await insertJob(database.pool, columns)
    expect(job).toMatchObject(columns)
    expect((await attempts(job.id)).map(({ run, attempt, end_reason }) => [run, attempt, end_reason])).toEqual([
      [1, 1, 'interrupted'],
      [2, 1, 'interrupted'],
      [3, 1, 'failed'],
    ])
  })

  test('puts its times in order', async () => {
    const { created_at, started_at, completed_at } = await insertJob(database, { status: 'error' })
    expect(created_at).toEqual(started_at)
    expect(started_at).toEqual(completed_at)
    const old = await insertJob(database, { status: 'completed', completed_at: new Date('2026-01-01') })
    expect(old).toMatchObject({ created_at: old.completed_at, started_at: old.completed_at, scheduled_for: old.completed_at })
  })

  test('gives a running job a live worker, and of a dead one a real worker takes it back', async () => {
    const { id, worker_id } = await insertJob(database, { status: 'running', job_type: 'a_job' })
    const workers = await database.query('select types, lease_expires_at > now() as alive from job_workers where id = $1', [worker_id])
    expect(workers.rows).toEqual([{ types: ['a_job'], alive: true }])

    const dead = await insertWorker(database, { lease_expires_at: new Date(0), host: 'gone' })
    const lost = await insertJob(database, { status: 'running', worker_id: dead.id })
    const rescued = Promise.withResolvers<void>()
    const onEvent = (event: { name: string }) => event.name === 'jobs.rescued' && rescued.resolve()
    const worker = createWorker({ connection: database.connectionString, handlers: [], pollIntervalMs: 10, onEvent })
    await worker.start()
    await rescued.promise
    await worker.stop()
    const statuses = await database.query('select id, status from job_queue where id = any($1) order by status', [[id, lost.id]])
    expect(statuses.rows).toEqual([
      { id, status: 'running' },
      { id: lost.id, status: 'retry' },
    ])
  })

  test('refuses what no job can be, and leaves nothing behind', async () => {
    const before = [await count('nodes'), await count('job_workers'), await count('job_queue')]
    await expect(insertJob(database, { status: 'running', attempts: 0 })).rejects.toMatchObject({ code: 'TEST_JOB_IMPOSSIBLE' })
    expect([await count('nodes'), await count('job_workers'), await count('job_queue')]).toEqual(before)
  })
})

describe('clearQueue', () => {
  test('removes jobs, their history and workers, and nothing else', async () => {
    await insertJob(database, { status: 'error' })
    await insertWorker(database)
    const nodes = await count('nodes')
    await clearQueue(database)
    expect(await Promise.all(['job_queue', 'job_attempts', 'job_workers', 'nodes'].map(count))).toEqual([0, 0, 0, nodes])
  })
})
