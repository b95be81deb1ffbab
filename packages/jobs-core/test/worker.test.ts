import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueByType, enqueueMany, PermanentError, SnoozeError } from '../src/index.ts'
import { travel, waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const echo = defineJob({ type: 'echo', payload: z.object({ text: z.string(), times: z.number().default(1) }) })
const echoHandler = defineHandler(echo, async ({ payload }) => ({ result: { said: payload.text.repeat(payload.times) } }))

describe('a worker', () => {
  test("runs a job on the schema's output and stores its result", async () => {
    await queue.startWorker([echoHandler])
    const { id } = await enqueue(queue.db, echo, { text: 'hei' }, shared())
    const job = await waitForJob(queue.db, id)
    expect(job).toMatchObject({ status: 'completed', result: { said: 'hei' }, attempts: 1, run: 1, error_msg: null })
    expect(job.started_at?.getTime()).toBeGreaterThanOrEqual(job.created_at.getTime())
    expect(job.completed_at?.getTime()).toBeGreaterThanOrEqual(job.started_at?.getTime() ?? Number.POSITIVE_INFINITY)
  })

  test('tells the handler all it may know about the job', async () => {
    const seen = deferred<unknown>()
    await queue.startWorker([defineHandler(echo, async ({ job }) => seen.resolve(job))])
    const { id } = await enqueue(queue.db, echo, { text: 'x' }, { ...shared(), priority: 7, maxAttempts: 9, correlationId: 'order/7' })
    expect(await seen.promise).toEqual({
      ...{ id, type: 'echo', collectionNodeId: queue.collectionNodeId, attempt: 1, maxAttempts: 9, run: 1, priority: 7 },
      ...{ createdAt: expect.any(Date), scheduledFor: expect.any(Date), correlationId: 'order/7' },
    })
    await waitForJob(queue.db, id)
  })

  test('stores null for a handler with nothing to report', async () => {
    await queue.startWorker([defineHandler(echo, async () => {})])
    const { id } = await enqueue(queue.db, echo, { text: 'x' }, shared())
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: null })
  })

  test('tries again after a failure, with backoff, and keeps the history', async () => {
    const handler = defineHandler(echo, async ({ job: { attempt } }) => {
      if (attempt === 1) throw new Error('the first time it fails')
      return { result: attempt }
    })
    await queue.startWorker([handler])
    const { id } = await enqueue(queue.db, echo, { text: 'x' }, shared())
    expect(await waitForJob(queue.db, id, { status: 'retry' })).toMatchObject({ attempts: 1, error_msg: 'the first time it fails' })
    expect(await queue.dueInMs(id)).toBeGreaterThan(25_000)
    await travel(queue.db, { minutes: 1 })
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 2, run: 2, result: 2, error_msg: null })
    const attempts = await queue.attempts(id)
    expect(attempts).toMatchObject([{ run: 1, attempt: 1, end_reason: 'failed', error_msg: 'the first time it fails' }])
    expect(attempts[0]?.error_stack).toContain('worker.test')
  })

  test('gives up after the last attempt', async () => {
    await queue.startWorker([defineHandler(echo, () => Promise.reject(new Error('always')))])
    const { id } = await enqueue(queue.db, echo, { text: 'x' }, { ...shared(), maxAttempts: 1 })
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', attempts: 1, error_msg: 'always', failed: true })
    expect(await queue.event('job.failed')).toMatchObject({ final: true, finalReason: 'no_attempts_left', retryAt: null })
  })

  test('does not try again what can never succeed, and says why', async () => {
    await queue.startWorker([defineHandler(echo, () => Promise.reject(new PermanentError('ECHO_EMPTY', 'nothing to echo')))])
    const { id } = await enqueue(queue.db, echo, { text: 'x' }, shared())
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', attempts: 1, error_msg: 'nothing to echo' })
    expect(await queue.event('job.failed')).toMatchObject({ final: true, finalReason: 'permanent', retryAt: null })
  })

  test('of a job that was snoozed too often says so', async () => {
    await queue.startWorker([defineHandler(echo, () => Promise.reject(new SnoozeError(60_000, 'the service is down')))])
    await queue.insert({ job_type: 'echo', payload: JSON.stringify({ text: 'x' }), snoozes: 10_000 })
    expect(await queue.event('job.failed')).toMatchObject({ final: true, finalReason: 'snoozed_too_often', retryAt: null })
  })

  test('snoozes without charging an attempt', async () => {
    await queue.startWorker([defineHandler(echo, () => Promise.reject(new SnoozeError(60_000, 'the service is down')))])
    const { id } = await enqueue(queue.db, echo, { text: 'x' }, shared())
    expect(await queue.event('job.snoozed')).toMatchObject({ jobId: id, reason: 'the service is down', retryAt: expect.any(Date) })
    expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0, snoozes: 1, error_msg: 'the service is down' })
    expect(Math.abs((await queue.dueInMs(id)) - 60_000)).toBeLessThan(10_000)
  })

  test('never runs more at a time than it has slots, and uses them all', async () => {
    let running = 0
    let most = 0
    const handler = defineHandler(echo, async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    })
    await enqueueMany(queue.db, echo, Array(500).fill({ payload: { text: 'x' } }), shared())
    await queue.startWorker([handler], { maxConcurrent: 4 })
    await queue.event('job.completed', () => queue.named('job.completed').length === 500)
    expect(most).toBe(4)
  })

  test('with slow jobs claims exactly what it has slots for', async () => {
    const ends = deferred()
    await enqueueMany(queue.db, echo, Array(10).fill({ payload: { text: 'x' } }), shared())
    await queue.startWorker([defineHandler(echo, () => ends.promise)], { maxConcurrent: 4, pollIntervalMs: 10 })
    await queue.event('job.started', () => queue.named('job.started').length === 4)
    const statuses = async () => (await queue.pool.query('select status, count(*)::int from job_queue group by 1 order by 1')).rows
    for (let n = 0; n < 10; n++) {
      expect(await statuses()).toEqual([
        { status: 'pending', count: 6 },
        { status: 'running', count: 4 },
      ])
    }
    ends.resolve()
    await queue.event('job.completed', () => queue.named('job.completed').length === 10)
  })

  test('runs thousands of fast jobs once each, in batches', async () => {
    const counts = new Map<string, number>()
    const handler = defineHandler(echo, async ({ job: { id } }) => {
      counts.set(id, (counts.get(id) ?? 0) + 1)
    })
    await enqueueMany(queue.db, echo, Array(5_000).fill({ payload: { text: 'x' } }), shared())
    await queue.startWorker([handler], { maxConcurrent: 10 })
    await queue.event('job.completed', () => queue.named('job.completed').length === 5_000)
    const { rows } = await queue.pool.query('select status, count(*)::int as n, max(attempts) as attempts from job_queue group by 1')
    expect(rows).toEqual([{ status: 'completed', n: 5_000, attempts: 1 }])
    expect([counts.size, Math.max(...counts.values())]).toEqual([5_000, 1])
  })

  test('drains jobs that are not claimed ahead as it drains others', async () => {
    await enqueueMany(queue.db, echo, Array(300).fill({ payload: { text: 'x' } }), { ...shared(), maxAttempts: 1 })
    await queue.pool.query('update job_queue set rescues = 1, max_attempts = 3 where sequence % 2 = 0')
    await queue.startWorker([echoHandler], { pollIntervalMs: 60_000, maxConcurrent: 2 })
    await queue.event('job.completed', () => queue.named('job.completed').length === 300)
  })

  test('leaves a type it does not know alone, in silence, and takes it when it is known', async () => {
    const unknown = await enqueueByType(queue.db, 'new_in_v2', {}, { ...shared(), priority: 10 })
    await queue.startWorker([echoHandler], { pollIntervalMs: 10 })
    for (let n = 0; n < 5; n++) await waitForJob(queue.db, (await enqueue(queue.db, echo, { text: 'x' }, shared())).id)
    expect(await queue.job(unknown.id)).toMatchObject({ status: 'pending', attempts: 0, run: 0, worker_id: null })
    const said = queue.events.map((event) => event.name).filter((name) => name !== 'wake.mode' && name !== 'role.unbound')
    expect(new Set(said)).toEqual(new Set(['worker.started', 'job.started', 'job.completed']))
    const v2 = defineJob({ type: 'new_in_v2', payload: z.any() })
    await queue.startWorker([echoHandler, defineHandler(v2, async () => {})])
    expect(await waitForJob(queue.db, unknown.id)).toMatchObject({ status: 'completed', attempts: 1 })
  })

  test('goes on when the job it runs is deleted with its collection', async () => {
    const ends = deferred()
    await queue.startWorker([defineHandler(echo, ({ payload }) => (payload.text === 'x' ? Promise.resolve() : ends.promise))])
    const node = (await queue.pool.query(`insert into nodes (kind) values ('collection') returning id`)).rows[0].id
    const { id } = await enqueue(queue.db, echo, { text: 'deleted' }, { collectionNodeId: node })
    await queue.event('job.started', (event) => event.jobId === id)
    await queue.pool.query('delete from nodes where id = $1', [node])
    ends.resolve()
    expect(await queue.event('job.gone')).toMatchObject({ jobId: id, reason: 'deleted' })
    const next = await enqueue(queue.db, echo, { text: 'x' }, shared())
    expect((await waitForJob(queue.db, next.id)).status).toBe('completed')
  })
})
