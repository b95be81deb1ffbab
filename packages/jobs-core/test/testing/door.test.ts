import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, PermanentError } from '../../src/index.ts'
import { createTestDatabase, insertJob, insertNode, runHandler, waitForJob } from '../../src/testing/index.ts'
import { defineHandler } from '../../src/worker/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.object({ n: z.number().default(1) }), maxAttempts: 7, priority: 3 })

describe('runHandler', () => {
  test('gives the handler what a worker would, and back what it did', async () => {
    const handler = defineHandler(definition, async ({ payload, job, progress, step, log, signal }) => {
      progress(0.5, 'half')
      progress(1)
      log.info('did it', { n: payload.n })
      const asked = await step('ask', async () => ({ answer: 42, none: undefined }))
      return { result: { n: payload.n, asked, attempt: job.attempt, maxAttempts: job.maxAttempts, aborted: signal.aborted, text: 'a\0' } }
    })
    expect(await runHandler(handler, { payload: {} })).toEqual({
      result: { n: 1, asked: { answer: 42 }, attempt: 1, maxAttempts: 7, aborted: false, text: 'a\ufffd' },
      progress: [
        { fraction: 0.5, text: 'half' },
        { fraction: 1, text: undefined },
      ],
      logs: [{ level: 'info', message: 'did it', fields: { n: 1 } }],
      steps: { ask: { answer: 42 } },
      written: false,
    })
  })

  test('refuses what a worker would refuse: payload, result, steps', async () => {
    const run = (handle: Parameters<typeof defineHandler<object, { n: number }>>[1], payload: unknown = {}) =>
      runHandler(defineHandler(definition, handle), { payload })
    await expect(run(async () => {}, { n: 'x' })).rejects.toMatchObject({ code: 'PAYLOAD_INVALID' })
    await expect(run(async () => {}, { n: 5n })).rejects.toMatchObject({ code: 'PAYLOAD_NOT_JSON' })
    await expect(run(async () => ({ result: 'x'.repeat(300_000) }))).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' })
    await expect(run(async ({ step }) => void (await step('', async () => 1)))).rejects.toMatchObject({ code: 'STEP_NAME_INVALID' })
    await expect(run(async ({ step }) => void [await step('a', async () => 1), await step('a', async () => 2)])).rejects.toMatchObject({
      code: 'STEP_NAME_TWICE',
    })
    await expect(run(() => Promise.reject(new PermanentError('NO', 'no')))).rejects.toMatchObject({ code: 'NO' })
  })

  test('gives the stored result of a step instead of doing it again, null included', async () => {
    const handler = defineHandler(definition, async ({ step }) => ({
      result: [await step('a', () => Promise.reject(new Error('not again'))), await step('b', () => Promise.reject(new Error('nor this')))],
    }))
    expect((await runHandler(handler, { payload: {}, steps: { a: 'stored', b: null } })).result).toEqual(['stored', null])
  })

  test('runs a returned write in a transaction of its own', async () => {
    const writes = (fails: boolean) =>
      defineHandler(definition, async ({ job }) => ({
        write: async (trx) => {
          await enqueue(trx, definition, {}, { collectionNodeId: job.collectionNodeId })
          if (fails) throw new Error('rolled back')
        },
      }))
    const options = { payload: {}, job: { collectionNodeId: queue.collectionNodeId }, db: queue.db }
    await expect(runHandler(writes(true), options)).rejects.toThrow('rolled back')
    expect(await queue.db.selectFrom('job_queue').select('id').execute()).toEqual([])
    expect((await runHandler(writes(false), options)).written).toBe(true)
    expect(await queue.db.selectFrom('job_queue').select('id').execute()).toHaveLength(1)
  })
})

describe('waitForJob', () => {
  test('gives the row as soon as it has the status', async () => {
    const { id } = await queue.insert()
    expect((await waitForJob(queue.db, id, { status: ['pending', 'retry'] })).id).toBe(id)
    const waiting = waitForJob(queue.db, id)
    await queue.pool.query(`update job_queue set status = 'cancelled' where id = $1`, [id])
    expect((await waiting).status).toBe('cancelled')
  })

  test('says what it found instead', async () => {
    const { id } = await queue.insert({ status: 'retry', attempts: 2, error_msg: 'the reason' })
    await expect(waitForJob(queue.db, id, { timeoutMs: 20 })).rejects.toThrow(
      `Job ${id} was not completed or error or cancelled after 20 ms: retry (attempt 2/3, the reason)`,
    )
    await queue.pool.query('delete from job_queue')
    await expect(waitForJob(queue.db, id, { status: 'completed', timeoutMs: 20 })).rejects.toThrow(
      'was not completed after 20 ms: no such job',
    )
  })
})

describe('factories', () => {
  test('insert rows as they are given, with a collection where none is', async () => {
    const node = await insertNode(queue.db, { title: 'Podkasten', metadata: '{"jobs": {}}' })
    expect(node).toMatchObject({ kind: 'collection', title: 'Podkasten', metadata: { jobs: {} } })
    const job = await insertJob(queue.db, { status: 'error', attempts: 3, payload: '{"odd": true}' })
    expect(job).toMatchObject({ status: 'error', attempts: 3, payload: { odd: true }, job_type: 'test_job' })
    expect(await queue.db.selectFrom('nodes').select('kind').where('id', '=', job.collection_node_id).execute()).toHaveLength(1)
  })
})

describe('createTestDatabase', () => {
  test('makes databases apart from each other, and removes them with whoever is still connected', async () => {
    const [one, two] = await Promise.all([createTestDatabase(inject('server')), createTestDatabase(inject('server'))])
    await insertJob(one.db)
    expect(await two.db.selectFrom('job_queue').select('id').execute()).toEqual([])
    const forgotten = new pg.Client({ connectionString: one.connectionString })
    const lost = new Promise((resolve) => forgotten.on('error', resolve))
    await forgotten.connect()
    await Promise.all([one.drop(), two.drop()])
    expect(await lost).toMatchObject({ code: '57P01' })
    await expect(new pg.Client({ connectionString: two.connectionString }).connect()).rejects.toMatchObject({ code: '3D000' })
  })
})
