import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany, isJobsError, PermanentError, TransientError } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler, type HandlerContext } from '../src/worker/index.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'fails', payload: z.any() })
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const runs = (handle: (context: HandlerContext<unknown>) => Promise<object | undefined>) =>
  queue.startWorker([defineHandler(definition, handle)])

describe('a handler that throws', () => {
  test('whatever it throws, the job gets a useful message and the worker goes on', async () => {
    const unreadable = Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('no')
      },
    })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const things: unknown[] = [
      undefined,
      null,
      '',
      'text',
      42,
      5n,
      { code: 'X' },
      Object.create(null),
      Symbol('s'),
      unreadable,
      proxy,
      () => 1,
    ]
    await queue.startWorker([
      // Not an async function: it also throws before there is a promise.
      defineHandler(definition, (({ payload }: { payload: number }) => {
        if (payload < things.length) throw things[payload]
        return Promise.reject(things[payload - things.length])
      }) as never),
    ])
    const items = Array.from({ length: 2 * things.length }, (_, payload) => ({ payload }))
    for (const { id } of await enqueueMany(queue.db, definition, items, shared())) {
      const job = await waitForJob(queue.db, id, { status: 'retry' })
      expect(job.error_msg).toMatch(/\S{3}/)
      expect(job).toMatchObject({ attempts: 1, worker_id: expect.any(String) })
    }
    expect(await queue.db.selectFrom('job_queue').select('id').where('status', '=', 'running').execute()).toEqual([])
  })

  test('with 20 MB of text, fifty times: cut, marked, and booked at once', async () => {
    const text = `the beginning ${'x'.repeat(20_000_000)}`
    await runs(() => Promise.reject(new Error(text)))
    const before = process.cpuUsage()
    await enqueueMany(queue.db, definition, Array(50).fill({ payload: 1 }), { ...shared(), maxAttempts: 1 })
    await queue.event('job.failed', () => queue.named('job.failed').length === 49)
    await queue.event('job.failed', () => queue.named('job.failed').length === 50)
    // Of the processor's time: the machine may be busy with other things.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000)
    const { rows } = await queue.pool.query('select error_msg from job_queue')
    expect(rows).toHaveLength(50)
    for (const { error_msg } of rows) expect(error_msg).toMatch(/^the beginning x+ … \(cut\)$/)
    expect(JSON.stringify(rows).length).toBeLessThan(300_000)
  })

  test.each([27, 31, 32, 33, 39, 40, 45, 60, 99])('after %i attempts waits no longer than the cap', async (attempts) => {
    const { id } = await queue.insert({ job_type: 'fails', attempts, max_attempts: 101 })
    await runs(() => Promise.reject(new Error('again')))
    await waitForJob(queue.db, id, { status: 'retry' })
    expect(await queue.dueInMs(id)).toBeGreaterThan(6 * 3_600_000 - 10_000)
    expect(await queue.dueInMs(id)).toBeLessThanOrEqual(6 * 3_600_000 * 1.1)
  })

  test('five hundred that failed together do not come back together', async () => {
    await queue.startWorker([defineHandler(definition, () => Promise.reject(new TransientError('BUSY', '503')))], { maxConcurrent: 50 })
    await enqueueMany(queue.db, definition, Array(500).fill({ payload: 1 }), shared())
    while (queue.named('job.failed').length < 500) {
      const sofar = queue.named('job.failed').length
      await queue.event('job.failed', () => queue.named('job.failed').length > sofar)
    }
    const { rows } = await queue.pool.query(`
      select min(extract(epoch from scheduled_for - a.ended_at)) as least, count(distinct date_trunc('second', scheduled_for))::int as seconds
      from job_queue q join job_attempts a on a.job_id = q.id`)
    expect(Number(rows[0].least)).toBeGreaterThanOrEqual(29.9)
    expect(rows[0].seconds).toBeGreaterThanOrEqual(3)
  })
})

describe('a payload', () => {
  test('that does not fit the schema fails at once, saying where', async () => {
    const strict = defineJob({ type: 'strict', payload: z.object({ path: z.string() }) })
    await queue.startWorker([defineHandler(strict, async () => {})])
    const { id } = await queue.insert({ job_type: 'strict', payload: '{"path": 7}' })
    expect(await waitForJob(queue.db, id)).toMatchObject({
      status: 'error',
      attempts: 1,
      error_msg: expect.stringMatching(/payload\.path: /),
    })
    expect(await queue.attempts(id)).toMatchObject([{ error_code: 'PAYLOAD_INVALID' }])
  })

  test('with a number JavaScript would round is refused, never changed silently', async () => {
    await runs(async ({ payload }) => ({ result: payload }))
    const { id } = await queue.insert({ job_type: 'fails', payload: '{"episode_id": 9007199254740993}' })
    expect(await waitForJob(queue.db, id)).toMatchObject({
      status: 'error',
      result: null,
      error_msg: expect.stringContaining('9007199254740993'),
    })
    const text = await enqueue(queue.db, definition, { episode_id: '9007199254740993' }, shared())
    expect(await waitForJob(queue.db, text.id)).toMatchObject({ status: 'completed', result: { episode_id: '9007199254740993' } })
  })
})

describe('a result', () => {
  test('loses nothing but what PostgreSQL cannot store', async () => {
    await runs(async () => ({ result: { 'k\0': 'a\0b\ud800c' } }))
    const { id } = await enqueue(queue.db, definition, 1, shared())
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: { 'k\ufffd': 'a\ufffdb\ufffdc' } })
  })

  test.each([
    ['of 300 KiB', 'RESULT_TOO_LARGE', () => 'x'.repeat(300 * 1_024)],
    ['that is no JSON', 'RESULT_INVALID', () => ({ id: 5n })],
  ])('%s fails the job for good', async (_name, code, result) => {
    await runs(async () => ({ result: result() as never }))
    const { id } = await enqueue(queue.db, definition, 1, shared())
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', attempts: 1, result: null })
    expect(await queue.attempts(id)).toMatchObject([{ error_code: code }])
  })

  test('that PostgreSQL refuses after all harms only its own job', async () => {
    await queue.pool.query(`alter table job_queue add constraint refuses check (result <> '"refused"')`)
    await runs(async ({ payload }) => ({ result: payload as string }))
    const items = ['fine', 'refused', 'fine too'].map((payload) => ({ payload }))
    const results = await enqueueMany(queue.db, definition, items, { ...shared(), maxAttempts: 1 })
    const jobs = await Promise.all(results.map(({ id }) => waitForJob(queue.db, id)))
    await queue.pool.query('alter table job_queue drop constraint refuses')
    expect(jobs.map(({ status }) => status)).toEqual(['completed', 'error', 'completed'])
    expect(jobs[1]?.error_msg).toContain('violates check constraint "refuses"')
    expect(queue.named('database.lost')).toEqual([])
  })
})

describe('a handler that never ends', () => {
  test('is timed out, its signal aborted, its slot freed, and the heartbeat does not save it', async () => {
    const hangs = defineJob({ type: 'hangs', payload: z.any(), timeoutMs: 50 })
    const reasons: unknown[] = []
    const hanging = defineHandler(hangs, ({ signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason))
      return new Promise(() => {})
    })
    await queue.startWorker([hanging, defineHandler(definition, async () => {})], { maxConcurrent: 3, leaseMs: 1_000 })
    const hung = await enqueueMany(queue.db, hangs, Array(3).fill({ payload: 1 }), shared())
    await queue.event('job.started', () => queue.named('job.started').length === 3)
    const normal = await enqueue(queue.db, definition, 1, shared())
    expect(await waitForJob(queue.db, normal.id, { timeoutMs: 5_000 })).toMatchObject({ status: 'completed' })
    for (const { id } of hung) {
      expect(await waitForJob(queue.db, id, { status: 'retry' })).toMatchObject({
        attempts: 1,
        error_msg: expect.stringContaining('longer than its 50 ms'),
      })
      expect(await queue.attempts(id)).toMatchObject([{ end_reason: 'timeout', error_code: 'JOB_TIMEOUT' }])
    }
    expect(reasons.map((reason) => isJobsError(reason, 'transient'))).toEqual([true, true, true])
  })

  test('that obeys its signal gives the slot back at once', async () => {
    const hangs = defineJob({ type: 'hangs', payload: z.any(), timeoutMs: 30, maxAttempts: 1 })
    await queue.startWorker([
      defineHandler(hangs, ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))),
    ])
    const { id } = await enqueue(queue.db, hangs, 1, shared())
    expect(await waitForJob(queue.db, id, { timeoutMs: 1_500 })).toMatchObject({ status: 'error' })
  })

  test('that answers its signal with an error of its own is still a timeout', async () => {
    const hangs = defineJob({ type: 'hangs', payload: z.any(), timeoutMs: 30 })
    await queue.startWorker([
      defineHandler(
        hangs,
        ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new PermanentError('P', 'aborted')))),
      ),
    ])
    const { id } = await enqueue(queue.db, hangs, 1, shared())
    await waitForJob(queue.db, id, { status: 'retry' })
    expect(await queue.attempts(id)).toMatchObject([{ end_reason: 'timeout' }])
  })
})
