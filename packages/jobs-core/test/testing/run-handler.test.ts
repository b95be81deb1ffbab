import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, PermanentError } from '../../src/index.ts'
import { enqueuedJobs, insertNode, runHandler } from '../../src/testing/index.ts'
import { defineHandler, type HandlerContext } from '../../src/worker/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.object({ n: z.number().default(1) }), timeoutMs: 40 })
const handler = (run: (context: HandlerContext<{ n: number }>) => Promise<object | undefined>) =>
  defineHandler(definition, async (context) => (await run(context)) ?? {})
const untilAborted = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

describe('runHandler', () => {
  test('says which attempt it is, and as many runs unless told otherwise', async () => {
    const told = handler(async ({ job }) => ({ result: [job.attempt, job.run, job.maxAttempts] }))
    expect((await runHandler(told, { payload: {} })).result).toEqual([1, 1, 3])
    expect((await runHandler(told, { payload: {}, job: { attempt: 3 } })).result).toEqual([3, 3, 3])
    expect((await runHandler(told, { payload: {}, job: { attempt: 2, run: 9 } })).result).toEqual([2, 9, 3])
  })

  test('gives the result the type it is asked for', async () => {
    const run = await runHandler<{ n: number }>(
      handler(async ({ payload }) => ({ result: { n: payload.n } })),
      { payload: {} },
    )
    expectTypeOf(run.result).toEqualTypeOf<{ n: number }>()
    expect(run.result.n).toBe(1)
  })

  test("aborts the signal after the definition's time, and throws that", async () => {
    const obeys = handler(async ({ signal }) => {
      await untilAborted(signal)
      throw new Error('what it threw then')
    })
    await expect(runHandler(obeys, { payload: {} })).rejects.toMatchObject({
      code: 'JOB_TIMEOUT',
      message: expect.stringContaining('40 ms'),
    })
    await expect(runHandler(obeys, { payload: {}, timeoutMs: 5 })).rejects.toMatchObject({
      code: 'JOB_TIMEOUT',
      message: expect.stringContaining('5 ms'),
    })
  })

  test('takes a result that is there all the same', async () => {
    const late = handler(async ({ signal }) => {
      await untilAborted(signal)
      return { result: signal.reason.code }
    })
    expect((await runHandler(late, { payload: {} })).result).toBe('JOB_TIMEOUT')
  })

  test('gives up a handler that does not obey, two seconds later', async () => {
    await expect(
      runHandler(
        handler(() => new Promise(() => {})),
        { payload: {}, timeoutMs: 1 },
      ),
    ).rejects.toMatchObject({ code: 'JOB_TIMEOUT' })
  })

  test('hands on the signal it is given, and what the handler makes of it', async () => {
    const abort = new AbortController()
    const obeys = handler(async ({ signal }) => {
      abort.abort(new PermanentError('STOP', 'stopped'))
      signal.throwIfAborted()
    })
    await expect(runHandler(obeys, { payload: {}, signal: abort.signal, timeoutMs: 10_000 })).rejects.toMatchObject({ code: 'STOP' })
    const steps = handler(async ({ step }) => ({ result: await step('a', async () => 1) }))
    await expect(runHandler(steps, { payload: {}, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  })

  test.each([
    ['a test database', async () => queue.database],
    ['a pool', async () => queue.pool],
    ['a Kysely', async () => queue.db],
    [
      'a Kysely with plugins, which a worker has not',
      async () => new Kysely<object>({ dialect: new PostgresDialect({ pool: queue.pool }), plugins: [new CamelCasePlugin()] }),
    ],
  ])('writes with %s', async (_what, open) => {
    const node = await insertNode(queue.db)
    const writes = defineHandler(definition, async ({ job }) => ({
      write: async (trx) => {
        await enqueue(trx, definition, {}, { collectionNodeId: job.collectionNodeId })
        expect(trx.isTransaction).toBe(true)
        expect(trx.getExecutor().plugins).toEqual([])
      },
    }))
    const { written } = await runHandler(writes, { payload: {}, job: { collectionNodeId: node.id }, db: await open() })
    expect(written).toBe(true)
    expect(await enqueuedJobs(queue.db, definition, { collectionNodeId: node.id })).toHaveLength(1)
  })

  test('does not write inside of a transaction of the test, nor without a database', async () => {
    const writes = handler(async () => ({ write: async () => {} }))
    await queue.db.transaction().execute(async (trx) => {
      await expect(runHandler(writes, { payload: {}, db: trx })).rejects.toMatchObject({ code: 'TEST_CONNECTION_SINGLE' })
    })
    expect((await runHandler(writes, { payload: {} })).written).toBe(false)
  })
})
