import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { cancelJob } from '../src/admin/index.ts'
import { defineJob, enqueue } from '../src/index.ts'
import { travel, waitForJob } from '../src/testing/index.ts'
import { defineHandler, type HandlerContext, type HandlerReturn } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const startWith = (handle: (context: HandlerContext<unknown>) => Promise<HandlerReturn | undefined>, leaseMs = 30_000) =>
  queue.startWorker([defineHandler(definition, handle)], { leaseMs })
const add = async () => (await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })).id
const again = () => travel(queue.db, { hours: 1 })
const steps = async () => (await queue.pool.query('select name, result, run from job_steps order by created_at')).rows

describe('a step', () => {
  test('is done once per job, not once per attempt, and its stored result is what later attempts get', async () => {
    const answer = vi.fn(async () => ({ text: 'a\0b', none: undefined, n: 1 }))
    const results: unknown[] = []
    await startWith(async ({ step, job }) => {
      results.push(await step('ask', answer as never))
      if (job.attempt === 1) throw new Error('after it was paid for')
      return { result: await step('more', async () => 'second') }
    })
    const id = await add()
    await waitForJob(queue.db, id, { status: 'retry' })
    expect(await steps()).toEqual([{ name: 'ask', result: { text: 'a\ufffdb', n: 1 }, run: 1 }])
    await again()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: 'second', attempts: 2 })
    expect(answer).toHaveBeenCalledTimes(1)
    expect(results).toEqual([
      { text: 'a\ufffdb', n: 1 },
      { text: 'a\ufffdb', n: 1 },
    ])
    expect(await steps()).toEqual([])
  })

  test('that fails is not stored', async () => {
    const answer = vi.fn(async () => {
      if (answer.mock.calls.length === 1) throw new Error('the service said no')
      return 'now it did'
    })
    await startWith(async ({ step }) => ({ result: await step('ask', answer) }))
    const id = await add()
    expect(await waitForJob(queue.db, id, { status: 'retry' })).toMatchObject({ error_msg: 'the service said no' })
    expect(await steps()).toEqual([])
    await again()
    expect((await waitForJob(queue.db, id)).result).toBe('now it did')
  })

  test('works with others at the same time, and with nothing for a result', async () => {
    await startWith(async ({ step }) => ({
      result: await Promise.all([step('a', async () => 1), step('b', async () => undefined as never), step('c', async () => [null])]),
    }))
    expect((await waitForJob(queue.db, await add())).result).toEqual([1, null, [null]])
  })

  test.each([
    ['STEP_NAME_TWICE', async ({ step }: HandlerContext<unknown>) => [await step('x', async () => 1), await step('x', async () => 2)]],
    ['STEP_NAME_INVALID', async ({ step }: HandlerContext<unknown>) => step('', async () => 1)],
    ['STEP_NAME_INVALID', async ({ step }: HandlerContext<unknown>) => step('x'.repeat(201), async () => 1)],
    ['STEP_NAME_INVALID', async ({ step }: HandlerContext<unknown>) => step('a\0b', async () => 1)],
    ['STEP_NAME_INVALID', async ({ step }: HandlerContext<unknown>) => step('\ud800', async () => 1)],
    ['STEP_NAME_INVALID', async ({ step }: HandlerContext<unknown>) => step(7 as never, async () => 1)],
    ['RESULT_TOO_LARGE', async ({ step }: HandlerContext<unknown>) => step('big', async () => 'x'.repeat(1_048_577))],
    ['RESULT_INVALID', async ({ step }: HandlerContext<unknown>) => step('big', async () => 5n as never)],
  ])('used wrongly fails the job for good: %s (%#)', async (code, handle) => {
    await startWith(async (context) => ({ result: (await handle(context)) as never }))
    const id = await add()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', attempts: 1 })
    expect(await queue.attempts(id)).toMatchObject([{ error_code: code }])
  })

  test('of just 1 MiB is stored', async () => {
    await startWith(async ({ step }) => ({ result: (await step('big', async () => 'x'.repeat(1_048_574))).length }))
    expect((await waitForJob(queue.db, await add())).result).toBe(1_048_574)
  })

  test("whose job became another's meanwhile stores nothing and aborts the run", async () => {
    let aborted: unknown
    await startWith(async ({ step, signal, job }) => {
      signal.addEventListener('abort', () => {
        aborted = signal.reason.code
      })
      await step('ask', async () => {
        await queue.pool.query('update job_queue set run = run + 1 where id = $1', [job.id])
        return 1
      })
      return {}
    })
    const id = await add()
    await vi.waitFor(() => expect(aborted).toBe('LEASE_LOST'))
    expect(await steps()).toEqual([])
    await queue.pool.query('delete from job_queue where id = $1', [id])
  })
})

describe('progress', () => {
  test('stands in the row while the job runs, the newest within about a second', async () => {
    const ends = deferred()
    let report: HandlerContext<unknown>['progress'] = () => {}
    await startWith(async ({ progress }) => {
      report = progress
      report(0.25, 'Transkriberer')
      await ends.promise
      return undefined
    })
    const id = await add()
    await vi.waitFor(async () =>
      expect(await queue.job(id)).toMatchObject({ status: 'running', progress: 0.25, progress_text: 'Transkriberer' }),
    )
    for (const fraction of [0.3, 0.5, 7]) report(fraction, `\0\ud800${'x'.repeat(300)}`)
    await vi.waitFor(async () => expect((await queue.job(id)).progress).toBe(1), { timeout: 5_000 })
    expect((await queue.job(id)).progress_text).toBe(`\ufffd${'x'.repeat(199)}`)
    ends.resolve()
    expect((await waitForJob(queue.db, id)).status).toBe('completed')
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('of %s counts as none', async (fraction) => {
    const ends = deferred()
    await startWith(async ({ progress }) => {
      progress(fraction)
      await ends.promise
      return undefined
    })
    const id = await add()
    await vi.waitFor(async () => expect(await queue.job(id)).toMatchObject({ progress: 0, progress_text: null }))
    ends.resolve()
    await waitForJob(queue.db, id)
  })
})

describe('a running job that is cancelled', () => {
  test('ends as cancelled when its handler obeys', async () => {
    await startWith(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error(`stopped: ${signal.reason.code}`)))),
      1_000,
    )
    const id = await add()
    await queue.event('job.started')
    expect(await cancelJob(queue.db, id, 'all')).toBe('requested')
    expect(await waitForJob(queue.db, id)).toMatchObject({
      status: 'cancelled',
      attempts: 1,
      cancel_requested_at: null,
      completed_at: expect.any(Date),
    })
    expect(await queue.attempts(id)).toMatchObject([{ end_reason: 'cancelled', error_code: 'CANCELLED' }])
    expect(await queue.event('job.cancelled')).toMatchObject({ jobId: id })
  })

  test('is completed when it had a result before it heard of it', async () => {
    const ends = deferred()
    await startWith(async () => {
      await ends.promise
      return { result: 'done' }
    })
    const id = await add()
    await queue.event('job.started')
    expect(await cancelJob(queue.db, id, 'all')).toBe('requested')
    ends.resolve()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: 'done', cancel_requested_at: null })
  })
})
