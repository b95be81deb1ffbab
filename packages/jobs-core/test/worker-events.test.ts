import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../src/index.ts'
import { createTestDatabase, waitForJob } from '../src/testing/index.ts'
import { createWorker, defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const handler = defineHandler(definition, async ({ log, payload }) => {
  log.info('half way', { done: 1 })
  log.warn('slow')
  if (payload === 'fails') throw new Error('no')
})
const add = async (payload: unknown = 1) => (await enqueue(queue.db, definition, payload, { collectionNodeId: queue.collectionNodeId })).id

describe('events', () => {
  test("tell a job's life in order, with everything but its payload", async () => {
    const worker = await queue.startWorker([handler], { maxConcurrent: 2 })
    const id = await add('secret')
    await queue.event('job.completed')
    await worker.stop()
    const fields = { jobId: id, jobType: 'a_job', collectionNodeId: queue.collectionNodeId, attempt: 1, maxAttempts: 3, run: 1 }
    // Told beside all that: whether notifications arrive, and that these tests run as a superuser.
    const beside = new Set(['wake.mode', 'role.unbound'])
    expect(queue.events.filter(({ name }) => !beside.has(name))).toEqual([
      { name: 'worker.started', workerId: expect.any(String), types: ['a_job'], maxConcurrent: 2 },
      { name: 'job.started', waitedMs: expect.any(Number), ...fields },
      { name: 'job.log', level: 'info', message: 'half way', fields: { done: 1 }, ...fields },
      { name: 'job.log', level: 'warn', message: 'slow', fields: {}, ...fields },
      { name: 'job.completed', durationMs: expect.any(Number), ...fields },
      { name: 'worker.draining', running: 0 },
      { name: 'worker.stopped' },
    ])
    expect(JSON.stringify(queue.events)).not.toContain('secret')
  })

  test('tell a failure with its code, and when it comes back', async () => {
    await queue.startWorker([handler])
    const id = await add('fails')
    expect(await queue.event('job.failed')).toMatchObject({ jobId: id, final: false, error: { code: null, message: 'no' } })
    expect((await queue.event('job.failed')).retryAt).toEqual((await queue.job(id)).scheduled_for)
  })

  test('tell of progress when it is stored, and not after the end', async () => {
    const done = deferred()
    let late: () => void = () => {}
    const tells = defineHandler(definition, async ({ progress }) => {
      progress(0.25, 'Transkriberer')
      late = () => progress(0.9)
      await done.promise
    })
    await queue.startWorker([tells])
    const id = await add()
    expect(await queue.event('job.progress')).toMatchObject({ jobId: id, fraction: 0.25, text: 'Transkriberer', attempt: 1, run: 1 })
    expect(await queue.job(id)).toMatchObject({ progress: 0.25, progress_text: 'Transkriberer' })
    done.resolve()
    await queue.event('job.completed')
    late()
    // As long as the worker waits between two.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(queue.named('job.progress')).toHaveLength(1)
  })

  test('may meet a listener that throws', async () => {
    await queue.startWorker([handler], {
      onEvent: () => {
        throw new Error('the log is full')
      },
    })
    expect((await waitForJob(queue.db, await add())).status).toBe('completed')
    await waitForJob(queue.db, await add('fails'), { status: 'retry' })
  })
})

describe('a worker without handlers', () => {
  test('starts, says so once, claims nothing, and stops', async () => {
    const id = await add()
    const worker = await queue.startWorker([], { pollIntervalMs: 10 })
    const { rows } = await queue.pool.query('select types, slots from job_workers')
    expect(rows).toEqual([{ types: [], slots: 3 }])
    await worker.stop()
    expect(queue.named('no.handlers')).toHaveLength(1)
    expect((await queue.job(id)).status).toBe('pending')
  })
})

describe('a registration', () => {
  test('shows who the worker is', async () => {
    await queue.startWorker([handler], { version: '1.2.3', host: 'studio-1', maxConcurrent: 7 })
    const { rows } = await queue.pool.query('select * from job_workers')
    expect(rows).toMatchObject([
      { host: 'studio-1', pid: process.pid, version: '1.2.3', types: ['a_job'], slots: 7, draining: false, dead_at: null },
    ])
  })

  test('is renewed three times a lease', async () => {
    await queue.startWorker([handler], { leaseMs: 1_000 })
    const beats = new Set<string>()
    while (beats.size < 4) beats.add((await queue.pool.query('select heartbeat_at::text from job_workers')).rows[0].heartbeat_at)
    const { rows } = await queue.pool.query('select extract(epoch from lease_expires_at - heartbeat_at) as s from job_workers')
    expect(Number(rows[0].s)).toBeCloseTo(1, 1)
    expect(queue.named('lease.lost')).toEqual([])
  })
})

describe('a worker that cannot start', () => {
  test('says that the database was not migrated', async () => {
    await using empty = await createTestDatabase({ connectionString: inject('server').connectionString })
    const worker = createWorker({ connection: empty.connectionString, handlers: [handler] })
    await expect(worker.start()).rejects.toMatchObject({
      kind: 'configuration',
      code: 'SCHEMA_MISSING',
      message: expect.stringMatching(/sidelinja-worker migrate.*migrate\(pool\) of @sidelinja\/jobs-core\/admin/),
    })
    await worker.stop()
  })

  test('is refused before it connects when its options are wrong', () => {
    const create = (options: object) => () => createWorker({ connection: 'postgres://nowhere.invalid/x', handlers: [handler], ...options })
    expect(create({ types: ['other_job'] })).toThrow(expect.objectContaining({ code: 'TYPE_NOT_IN_BUILD' }))
    expect(create({ handlers: [handler, handler] })).toThrow(expect.objectContaining({ code: 'DUPLICATE_TYPE' }))
    expect(create({ maxConcurrent: 0 })).toThrow(expect.objectContaining({ code: 'WORKER_OPTION_INVALID' }))
  })
})

describe('a handler that is given up', () => {
  test('may still log, report and fail without harm', async () => {
    const goOn = deferred()
    const over = deferred()
    const hangs = defineJob({ type: 'hangs', payload: z.any(), timeoutMs: 20 })
    await queue.startWorker([
      defineHandler(hangs, async ({ log, progress, step }) => {
        await goOn.promise
        log.info('late')
        progress(0.5)
        await step('late', async () => 1).catch(() => {})
        over.resolve()
        throw new Error('late as well')
      }),
    ])
    const { id } = await enqueue(queue.db, hangs, 1, { collectionNodeId: queue.collectionNodeId })
    await queue.event('job.failed')
    goOn.resolve()
    await over.promise
    expect(await queue.job(id)).toMatchObject({ status: 'retry', progress: null })
    expect((await queue.pool.query('select from job_steps')).rows).toEqual([])
  })
})
