import { AssertionError } from 'node:assert'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany, SnoozeError } from '../../src/index.ts'
import { drain, waitForJob } from '../../src/testing/index.ts'
import { defineHandler } from '../../src/worker/index.ts'
import { holdTransaction, untilSomebodyWaits } from '../support/hold-lock.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const mail = defineJob({ type: 'send_mail', payload: z.any(), timeoutMs: 60_000 })
const workers = async () => (await queue.pool.query('select host from job_workers')).rows
const mailHandler = defineHandler(mail, async ({ payload }) => ({ result: payload }))
const failing = (error: unknown) => defineHandler(mail, () => Promise.reject(error))
const send = (payload: unknown = 1) => enqueue(queue.db, mail, payload, shared())

describe('drain fails', () => {
  test('with failFast, at the first failure, with the error itself', async () => {
    const thrown = new Error('the disk is full')
    await send(1)
    await send(2)
    const failed = drain(queue.db, [failing(thrown)], { failFast: true })
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(/^drain: send_mail .* failed on attempt 1: the disk is full$/),
      cause: thrown,
    })
    await expect(failed).rejects.toBeInstanceOf(AssertionError)
    expect((await queue.pool.query('select status from job_queue order by sequence')).rows).toEqual([
      { status: 'retry' },
      { status: 'pending' },
    ])
    expect(await workers()).toEqual([])
  })

  test('with failFast neither for a snooze nor when all is well', async () => {
    await send()
    expect(await drain(queue.db, [failing(new SnoozeError(60_000, 'busy'))], { failFast: true })).toHaveLength(1)
  })

  test('when jobs keep coming', async () => {
    const endless = defineHandler(mail, async () => ({ write: async (trx) => void (await enqueue(trx, mail, 1, shared())) }))
    await send()
    await expect(drain(queue.db, [endless], { maxRuns: 5 })).rejects.toThrow(
      /after 5 runs, and 1 jobs are due: send_mail completed ×5\. Does a job enqueue itself\?/,
    )
    expect(await workers()).toEqual([])
    await queue.pool.query('delete from job_queue')
    await enqueueMany(queue.db, mail, Array(5).fill({ payload: 1 }), shared())
    expect(await drain(queue.db, [mailHandler], { maxRuns: 5 })).toHaveLength(5)
  })

  test('when a handler hangs: its job is handed back', async () => {
    const hangs = defineHandler(
      mail,
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const { id } = await send()
    await expect(drain(queue.db, [hangs], { timeoutMs: 50 })).rejects.toThrow(
      /within 50 ms\. Ended so far: send_mail released ×1\. A handler hangs/,
    )
    expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0, run: 1 })
  })

  test('when somebody holds the lock of a due job', async () => {
    const { id } = await send()
    const held = await holdTransaction(queue.pool, 'select from job_queue where id = $1 for update', [id])
    await expect(drain(queue.db, [mailHandler], { timeoutMs: 50 })).rejects.toThrow(/Ended so far: nothing\. .*somebody holds the lock/)
    await held.rollback()
    expect(await drain(queue.db, [mailHandler])).toHaveLength(1)
  })

  test('when somebody holds the lock of a job that has run, and does not wait for the lock', async () => {
    let held: Awaited<ReturnType<typeof holdTransaction>> | undefined
    const handler = defineHandler(mail, async ({ job }) => {
      held = await holdTransaction(queue.pool, 'select from job_queue where id = $1 for update', [job.id])
    })
    const { id } = await send()
    const drained = drain(queue.db, [handler], { timeoutMs: 100 })
    await untilSomebodyWaits(queue.pool)
    await expect(drained).rejects.toThrow(/within 100 ms\. Ended so far: nothing/)
    await held?.rollback()
    expect((await waitForJob(queue.db, id)).status).toBe('completed')
  })

  test.each<[options: object, message: RegExp]>([
    [{ maxRun: 5 }, /did you mean maxRuns/],
    [{ maxRuns: 0 }, /maxRuns must be a whole number from 1 to 1000000, got 0/],
    [{ maxConcurrent: 1.5 }, /maxConcurrent must be/],
    [{ timeoutMs: 5_000_000 }, /timeoutMs must be/],
    [{ withScheduled: { hour: 1 } }, /withScheduled: there is no "hour"; did you mean hours/],
  ])('before it begins for %o', async (options, message) => {
    await expect(drain(queue.db, [mailHandler], options)).rejects.toMatchObject({
      code: 'TEST_OPTION_INVALID',
      message: expect.stringMatching(message),
    })
  })

  test('before it begins for two handlers of one type', async () => {
    await expect(drain(queue.db, [mailHandler, mailHandler])).rejects.toMatchObject({ code: 'DUPLICATE_TYPE' })
  })
})
