import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany, PermanentError } from '../src/index.ts'
import { travel, waitForJob } from '../src/testing/index.ts'
import { defineHandler, type WriteTransaction } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { holdTransaction, untilSomebodyWaits } from './support/hold-lock.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'writes', payload: z.any(), maxAttempts: 3 })
const note = (text: string) => (trx: WriteTransaction) => sql`insert into notes (text) values (${text})`.execute(trx).then(() => {})
const notes = async () => (await queue.pool.query('select text from notes order by text')).rows.map((row) => row.text)

beforeAll(() => queue.pool.query('create table notes (text text)'))
beforeEach(() => queue.pool.query('delete from notes'))
afterAll(() => vi.restoreAllMocks())

/** Runs one job whose handler returns this write. */
async function run(write: (trx: WriteTransaction) => Promise<void>, handle: () => Promise<void> = async () => {}) {
  await queue.startWorker([
    defineHandler(definition, async () => {
      await handle()
      return { result: 'the result', write }
    }),
  ])
  return enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
}

describe('what a handler writes', () => {
  test('commits together with the completion, steps included', async () => {
    const order: string[] = []
    const { id } = await run(async (trx) => {
      await note('a')(trx)
      const seen = await queue.pool.query('select status from job_queue where job_type = $1', ['writes'])
      order.push(seen.rows[0].status, ...(await notes()))
    })
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: 'the result', attempts: 1 })
    expect(order).toEqual(['running'])
    expect(await notes()).toEqual(['a'])
  })

  test('is rolled back when it throws, and the attempt is charged', async () => {
    const { id } = await run(async (trx) => {
      await note('a')(trx)
      throw new Error('the disk is full')
    })
    expect(await waitForJob(queue.db, id, { status: 'retry' })).toMatchObject({ attempts: 1, error_msg: 'the disk is full', result: null })
    expect(await queue.attempts(id)).toMatchObject([{ end_reason: 'failed', error_msg: 'the disk is full' }])
    expect(await notes()).toEqual([])
  })

  test('may refuse for good', async () => {
    const { id } = await run(() => Promise.reject(new PermanentError('NO_SUCH_NODE', 'the episode is gone')))
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', attempts: 1, error_msg: 'the episode is gone' })
  })

  test.each(['commit', 'rollback', 'commit; begin'])('may not end the transaction by itself: %s', async (ending) => {
    const { id } = await run(async (trx) => {
      await note('a')(trx)
      await sql.raw(ending).execute(trx)
    })
    const job = await waitForJob(queue.db, id)
    expect(job).toMatchObject({ status: 'error', result: null, error_msg: expect.stringContaining('write(trx) committed or rolled back') })
    expect(await queue.attempts(id)).toMatchObject([{ error_code: 'WRITE_ENDED_TRANSACTION' }])
  })

  test('keeps the stored steps when it ended the transaction by itself', async () => {
    await queue.startWorker([
      defineHandler(definition, async ({ step }) => {
        await step('paid for', async () => 1)
        return { write: async (trx) => void (await sql`rollback`.execute(trx)) }
      }),
    ])
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
    expect((await waitForJob(queue.db, id)).status).toBe('error')
    expect((await queue.pool.query('select name from job_steps')).rows).toEqual([{ name: 'paid for' }])
  })

  test('that swallows an error of its SQL does not complete the job', async () => {
    const { id } = await run(async (trx) => {
      await note('a')(trx)
      await sql`select 1 / 0`.execute(trx).catch(() => {})
    })
    expect(await waitForJob(queue.db, id, { status: 'retry' })).toMatchObject({
      error_msg: expect.stringContaining('current transaction is aborted'),
    })
    expect(await notes()).toEqual([])
  })

  test('may enqueue follow-ups: they exist exactly if it commits', async () => {
    const followUp = (trx: WriteTransaction) => enqueue(trx, definition, 'follow-up', { collectionNodeId: queue.collectionNodeId })
    let runs = 0
    await queue.startWorker([
      defineHandler(definition, async ({ payload }) => {
        if (payload === 'follow-up') return {}
        return {
          write: async (trx) => {
            await followUp(trx)
            if (++runs === 1) throw new Error('the first time it fails')
          },
        }
      }),
    ])
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
    await waitForJob(queue.db, id, { status: 'retry' })
    await travel(queue.db, { minutes: 1 })
    expect((await waitForJob(queue.db, id)).status).toBe('completed')
    const { rows } = await queue.pool.query(`select count(*)::int from job_queue where payload = '"follow-up"'`)
    expect(rows).toEqual([{ count: 1 }])
  })
})

describe("when the run is not the worker's any more", () => {
  test.each([
    ['taken by another', 'update job_queue set run = run + 1'],
    ['waits again', `update job_queue set status = 'retry', worker_id = null`],
    ['deleted', 'delete from job_queue'],
  ])('write is not called: %s', async (_name, change) => {
    const write = vi.fn(note('late'))
    const { id } = await run(write, async () => void (await queue.pool.query(change)))
    expect(await queue.event('job.gone')).toMatchObject({ jobId: id, reason: change.startsWith('delete') ? 'deleted' : 'lost' })
    expect(write).not.toHaveBeenCalled()
    // Not for this worker's stop to settle.
    await queue.pool.query('delete from job_queue')
  })

  test('the worker goes on with the next job', async () => {
    let first = true
    await run(note('a'), async () => {
      if (first) await queue.pool.query('delete from job_queue')
      first = false
    })
    await queue.event('job.gone')
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
    expect((await waitForJob(queue.db, id)).status).toBe('completed')
  })
})

describe('when somebody is in the way', () => {
  test("a deadlock with others' statements is tried again, uncharged", async () => {
    await queue.pool.query(`insert into notes values ('x'), ('y')`)
    const entered = deferred()
    const mayGoOn = deferred()
    const write = vi.fn(async (trx: WriteTransaction) => {
      await sql`update notes set text = text where text = 'x'`.execute(trx)
      entered.resolve()
      await mayGoOn.promise
      await sql`update notes set text = text where text = 'y'`.execute(trx)
    })
    const { id } = await run(write)
    await entered.promise
    const other = await holdTransaction(queue.pool, `set local deadlock_timeout = '10s'; update notes set text = text where text = 'y'`)
    const crossing = other.query(`update notes set text = text where text = 'x'`)
    await untilSomebodyWaits(queue.pool)
    mayGoOn.resolve()
    await crossing
    await other.commit()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1, error_msg: null })
    expect(write.mock.calls.length).toBeGreaterThan(1)
    expect(queue.named('settle.retried').length).toBeGreaterThan(0)
  })

  test("deleting the collection's node meanwhile deadlocks nobody, whoever comes first", async () => {
    for (const nodeFirst of [true, false]) {
      const node = (await queue.pool.query(`insert into nodes (kind) values ('collection') returning id`)).rows[0].id
      const entered = deferred()
      const mayEnd = deferred()
      const worker = await queue.startWorker([
        defineHandler(definition, async () => {
          if (nodeFirst) entered.resolve()
          if (nodeFirst) await mayEnd.promise
          return {
            write: async (trx) => {
              entered.resolve()
              await mayEnd.promise
              // Its foreign key wants a lock on the node, too.
              await enqueue(trx, definition, 'follow-up', { collectionNodeId: node, scheduledFor: new Date(Date.now() + 3_600_000) })
            },
          }
        }),
      ])
      const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: node })
      await entered.promise
      const deletion = holdTransaction(queue.pool, 'delete from nodes where id = $1', [node])
      await (nodeFirst ? deletion : untilSomebodyWaits(queue.pool))
      mayEnd.resolve()
      if (nodeFirst) await untilSomebodyWaits(queue.pool)
      await (await deletion).commit()
      const ended = nodeFirst ? queue.event('job.gone') : queue.event('job.completed', (event) => event.jobId === id)
      expect(await ended).toMatchObject({ jobId: id })
      expect(queue.named('job.failed')).toEqual([])
      expect(queue.named('settle.retried')).toEqual([])
      await worker.stop()
    }
  })

  test('a write that takes longer than the lease fails instead of trying for ever', async () => {
    await queue.startWorker(
      [defineHandler(definition, async () => ({ write: async (trx) => void (await sql`select pg_sleep(60)`.execute(trx)) }))],
      { leaseMs: 1_000 },
    )
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
    expect(await waitForJob(queue.db, id, { status: 'retry' })).toMatchObject({
      attempts: 1,
      error_msg: expect.stringContaining('statement timeout'),
    })
  })

  test("an error that only looks like a lost database is the handler's own", async () => {
    const { id } = await run(() => Promise.reject(Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:443'), { code: 'ECONNREFUSED' })))
    expect(await waitForJob(queue.db, id, { status: 'retry' })).toMatchObject({
      attempts: 1,
      error_msg: 'connect ECONNREFUSED 192.0.2.1:443',
    })
  })

  test('of more slots than there are connections for writes, each gets its turn', async () => {
    const write = async (trx: WriteTransaction) => void (await sql`select pg_sleep(0.2)`.execute(trx))
    await queue.startWorker([defineHandler(definition, async () => ({ write }))], { maxConcurrent: 30, leaseMs: 1_000 })
    const jobs = await enqueueMany(queue.db, definition, Array(30).fill({ payload: 1 }), { collectionNodeId: queue.collectionNodeId })
    for (const { id } of jobs) expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
    expect([queue.named('lease.lost'), queue.named('settle.retried')]).toEqual([[], []])
  })

  test('a connection that breaks inside the write is replaced, and the write done anew', async () => {
    const write = vi.fn(async (trx: WriteTransaction) => {
      await note('a')(trx)
      if (write.mock.calls.length === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
    })
    const { id } = await run(write)
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await notes()).toEqual(['a'])
    expect(write).toHaveBeenCalledTimes(2)
  })
})
