import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany, PermanentError, SnoozeError } from '../src/index.ts'
import { createTestDatabase, insertNode, type TestDatabase, waitForJob } from '../src/testing/index.ts'
import { createWorker, defineHandler, type Handler, type Worker, type WorkerEvent, type WorkerOptions } from '../src/worker/index.ts'

let database: TestDatabase
let collectionNodeId: string
const workers: Worker[] = []
const events: WorkerEvent[] = []

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  collectionNodeId = (await insertNode(database.db)).id
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  events.splice(0)
})
afterAll(() => database.drop())

async function startWorker(handlers: Handler[], options: Partial<WorkerOptions> = {}): Promise<Worker> {
  const worker = createWorker({
    connection: database.connectionString,
    handlers,
    onEvent: (event) => events.push(event),
    drainMs: 1_000,
    ...options,
  })
  workers.push(worker)
  await worker.start()
  return worker
}

const echo = defineJob({ type: 'echo', payload: z.object({ text: z.string() }) })
const echoHandler = defineHandler(echo, async ({ payload }) => ({ result: { said: payload.text } }))

describe('a worker', () => {
  test('runs a job and stores its result', async () => {
    await startWorker([echoHandler])
    const { id } = await enqueue(database.db, echo, { text: 'hei' }, { collectionNodeId })
    const job = await waitForJob(database.db, id)
    expect(job).toMatchObject({ status: 'completed', result: { said: 'hei' }, attempts: 1, run: 1, error_msg: null })
    expect(job.completed_at?.getTime()).toBeGreaterThanOrEqual(job.started_at?.getTime() ?? Number.POSITIVE_INFINITY)
  })

  test('commits what a handler writes together with the completion', async () => {
    const job = defineJob({ type: 'titles', payload: z.object({ title: z.string(), fail: z.boolean() }), maxAttempts: 1 })
    const handler = defineHandler(job, async ({ payload, job: { collectionNodeId: id } }) => ({
      write: async (trx) => {
        await trx
          .withTables<{ nodes: { id: string; title: string } }>()
          .updateTable('nodes')
          .set({ title: payload.title })
          .where('id', '=', id)
          .execute()
        if (payload.fail) throw new PermanentError('TEST', 'no')
      },
    }))
    await startWorker([handler])
    const good = await enqueue(database.db, job, { title: 'ny', fail: false }, { collectionNodeId })
    expect((await waitForJob(database.db, good.id)).status).toBe('completed')
    const bad = await enqueue(database.db, job, { title: 'borte', fail: true }, { collectionNodeId })
    expect(await waitForJob(database.db, bad.id)).toMatchObject({ status: 'error', error_msg: 'no' })
    const node = await database.db.selectFrom('nodes').select('title').where('id', '=', collectionNodeId).executeTakeFirstOrThrow()
    expect(node.title).toBe('ny')
  })

  test('tries again after a failure, with backoff, and keeps the history', async () => {
    const job = defineJob({ type: 'flaky', payload: z.object({}) })
    const handler = defineHandler(job, async ({ job: { attempt } }) => {
      if (attempt === 1) throw new Error('the first time it fails')
      return { result: attempt }
    })
    await startWorker([handler])
    const { id } = await enqueue(database.db, job, {}, { collectionNodeId })
    const waiting = await waitForJob(database.db, id, { status: 'retry' })
    expect(waiting).toMatchObject({ attempts: 1, error_msg: 'the first time it fails' })
    const { now } = (await database.pool.query('select clock_timestamp() as now')).rows[0]
    expect(waiting.scheduled_for.getTime() - now.getTime()).toBeGreaterThan(25_000)
    await database.pool.query('update job_queue set scheduled_for = now() where id = $1', [id])
    expect(await waitForJob(database.db, id)).toMatchObject({ status: 'completed', attempts: 2, run: 2, result: 2, error_msg: null })
    const attempts = await database.db.selectFrom('job_attempts').selectAll().where('job_id', '=', id).execute()
    expect(attempts).toMatchObject([{ run: 1, attempt: 1, end_reason: 'failed', error_msg: 'the first time it fails' }])
    expect(attempts[0]?.error_stack).toContain('worker.test')
  })

  test('snoozes without charging an attempt', async () => {
    const job = defineJob({ type: 'sleepy', payload: z.object({}) })
    await startWorker([defineHandler(job, () => Promise.reject(new SnoozeError(60_000, 'the service is down')))])
    const { id } = await enqueue(database.db, job, {}, { collectionNodeId })
    await vi.waitFor(() => expect(events.map((event) => event.name)).toContain('job.snoozed'), { timeout: 5_000 })
    const row = await waitForJob(database.db, id, { status: 'pending' })
    expect(row).toMatchObject({ attempts: 0, snoozes: 1, error_msg: 'the service is down' })
  })

  test('runs thousands of fast jobs once each, in batches', async () => {
    const counts = new Map<string, number>()
    const job = defineJob({ type: 'fast', payload: z.object({ n: z.number() }) })
    const handler = defineHandler(job, async ({ job: { id } }) => {
      counts.set(id, (counts.get(id) ?? 0) + 1)
    })
    const results = await enqueueMany(
      database.db,
      job,
      Array.from({ length: 5_000 }, (_, n) => ({ payload: { n } })),
      { collectionNodeId },
    )
    await startWorker([handler], { maxConcurrent: 10 })
    await waitForJob(database.db, results.at(-1)?.id ?? '')
    await workers[0]?.stop()
    const { rows } = await database.pool.query(
      `select status, count(*)::int as n, max(attempts) as attempts from job_queue where job_type = 'fast' group by 1`,
    )
    expect(rows).toEqual([{ status: 'completed', n: 5_000, attempts: 1 }])
    expect(counts.size).toBe(5_000)
    expect(Math.max(...counts.values())).toBe(1)
  })
})
