import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cancelJob } from '../../src/admin/index.ts'
import { defineJob, enqueue, enqueueMany, PermanentError, SnoozeError } from '../../src/index.ts'
import { drain, insertJob } from '../../src/testing/index.ts'
import { defineHandler, type WriteTransaction } from '../../src/worker/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const welcome = defineJob({ type: 'welcome', payload: z.object({ name: z.string(), loud: z.boolean().default(false) }) })
const mail = defineJob({ type: 'send_mail', payload: z.any(), timeoutMs: 60_000 })
const note = (trx: WriteTransaction, text: string) => sql`insert into notes values (${text})`.execute(trx)
const notes = async () => (await queue.pool.query('select text from notes order by text')).rows.map((row) => row.text)
const workers = async () => (await queue.pool.query('select host from job_workers')).rows

beforeAll(() => queue.pool.query('create table notes (text text)'))
afterAll(() => queue.pool.query('drop table notes'))

const welcomeHandler = defineHandler(welcome, async ({ payload, job }) => ({
  result: { name: payload.name, loud: payload.loud },
  write: async (trx) => {
    await note(trx, payload.name)
    await enqueue(trx, mail, { to: payload.name }, { collectionNodeId: job.collectionNodeId })
  },
}))
const mailHandler = defineHandler(mail, async ({ payload }) => ({ result: payload }))
const failing = (error: unknown) => defineHandler(mail, () => Promise.reject(error))
const send = (payload: unknown = 1) => enqueue(queue.db, mail, payload, shared())

describe('drain', () => {
  test('runs what is due and what that enqueues, and says what ran', async () => {
    const { id } = await enqueue(queue.db, welcome, { name: 'Ada' }, shared())
    const runs = await drain(queue.db, [welcomeHandler, mailHandler])
    expect(runs).toMatchObject([
      { id, type: 'welcome', attempt: 1, run: 1, outcome: 'completed', error: null },
      { type: 'send_mail', outcome: 'completed', job: { status: 'completed', result: { to: 'Ada' }, attempts: 1 } },
    ])
    expect(runs[0]?.job).toEqual(await queue.job(id))
    expect(runs[0]?.job?.result).toEqual({ name: 'Ada', loud: false })
    expect(await notes()).toEqual(['Ada'])
    expect(await drain(queue.db, [welcomeHandler, mailHandler])).toEqual([])
    expect(await workers()).toEqual([])
  })

  test('takes the most urgent first, follow-ups among the others, one after the other', async () => {
    let running = 0
    const order: unknown[] = []
    const handler = defineHandler(mail, async ({ payload, job }) => {
      expect(++running).toBe(1)
      order.push(payload)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      const urgent = payload === 'a' ? [await enqueue(queue.db, mail, 'urgent', { ...shared(), priority: 10 })] : []
      return { result: [job.priority, urgent.length] }
    })
    await enqueueMany(
      queue.db,
      mail,
      ['a', 'b', 'c'].map((payload) => ({ payload })),
      shared(),
    )
    await enqueue(queue.db, mail, 'first', { ...shared(), priority: 1 })
    await drain(queue.db, [handler])
    expect(order).toEqual(['first', 'a', 'urgent', 'b', 'c'])
  })

  test('runs as many at once as it is told to, each job once', async () => {
    let [running, most] = [0, 0]
    const handler = defineHandler(mail, async ({ payload }) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return { result: payload, ...(payload % 2 === 0 && { write: async (trx: WriteTransaction) => void (await note(trx, 'even')) }) }
    })
    await enqueueMany(
      queue.db,
      mail,
      Array.from({ length: 60 }, (_, payload) => ({ payload })),
      shared(),
    )
    const runs = await drain(queue.db, [handler], { maxConcurrent: 4 })
    expect(most).toBe(4)
    expect(new Set(runs.map((run) => run.id)).size).toBe(60)
    expect(runs.every((run) => run.outcome === 'completed' && run.job?.status === 'completed')).toBe(true)
    expect((await notes()).filter((text) => text === 'even')).toHaveLength(30)
  })

  test('tells the row after each run, also of those that were settled together', async () => {
    await enqueueMany(queue.db, mail, Array(40).fill({ payload: 1 }), shared())
    const runs = await drain(queue.db, [mailHandler], { maxConcurrent: 8 })
    expect(runs.map((run) => run.job?.status)).toEqual(Array(40).fill('completed'))
  })

  test.each([
    ['retry', new Error('no route'), { status: 'retry', attempts: 1, error_msg: 'no route' }, { code: null, message: 'no route' }],
    ['error', new PermanentError('NO', 'not this one'), { status: 'error', attempts: 1 }, { code: 'NO', message: 'not this one' }],
    ['snoozed', new SnoozeError(60_000, 'busy'), { status: 'pending', attempts: 0, snoozes: 1 }, { code: 'SNOOZED', message: 'busy' }],
  ] as const)('reports %s', async (outcome, error, job, described) => {
    await send()
    expect(await drain(queue.db, [failing(error)])).toMatchObject([{ outcome, job, error: described }])
  })

  test('reports what was cancelled or deleted while it ran, and a payload that does not fit', async () => {
    const handler = defineHandler(mail, async ({ payload, job, signal }) => {
      if (payload === 'delete') return void (await queue.pool.query('delete from job_queue where id = $1', [job.id]))
      await cancelJob(queue.db, job.id, 'all')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw signal.reason
    })
    await send('cancel')
    await send('delete')
    await insertJob(queue.db, { job_type: 'welcome', payload: { name: 5 } })
    expect(await drain(queue.db, [handler, welcomeHandler])).toMatchObject([
      { outcome: 'cancelled', error: { code: 'CANCELLED' }, job: { status: 'cancelled' } },
      { outcome: 'gone', job: undefined },
      { outcome: 'error', error: { code: 'PAYLOAD_INVALID' }, job: { status: 'error' } },
    ])
  })

  test('stores steps, as a worker does', async () => {
    let calls = 0
    const handler = defineHandler(mail, async ({ job, step }) => {
      const answer = await step('ask', async () => ++calls)
      if (job.attempt === 1) throw new Error('after it was paid for')
      return { result: answer }
    })
    await send()
    const runs = await drain(queue.db, [handler], { withScheduled: true })
    expect(runs.map(({ outcome, job }) => [outcome, job?.result])).toEqual([
      ['retry', null],
      ['completed', 1],
    ])
  })

  test('leaves alone what has no handler, is not due, or runs elsewhere', async () => {
    await insertJob(queue.db, { job_type: 'unknown' })
    await insertJob(queue.db, { job_type: 'send_mail', scheduled_for: new Date(Date.now() + 60_000) })
    await insertJob(queue.db, { job_type: 'send_mail', status: 'running' })
    const before = (await queue.pool.query('select * from job_queue order by id')).rows
    expect(await drain(queue.db, [mailHandler])).toEqual([])
    expect((await queue.pool.query('select * from job_queue order by id')).rows).toEqual(before)
  })

  test('passes on events', async () => {
    const names: string[] = []
    await send()
    const onEvent = ({ name }: { name: string }) => {
      names.push(name)
      throw new Error('which are only listened to')
    }
    expect(await drain(queue.db, [mailHandler], { onEvent })).toHaveLength(1)
    expect(names).toEqual(['job.started', 'job.completed'])
  })
})

describe('drain works with', () => {
  const pools: pg.Pool[] = []
  afterAll(() => Promise.all(pools.map((pool) => pool.end())))
  const pool = (max: number) => {
    const opened = new pg.Pool({ connectionString: queue.connectionString, max })
    pools.push(opened)
    return opened
  }

  test.each([
    ['a pool', () => pool(5)],
    ['a pool of one', () => pool(1)],
    [
      'a Kysely of other tables, with plugins',
      () => new Kysely<{ a: { b: string } }>({ dialect: new PostgresDialect({ pool: pool(2) }), plugins: [new CamelCasePlugin()] }),
    ],
  ])('%s', async (_what, open) => {
    await enqueue(queue.db, welcome, { name: 'Bob' }, shared())
    const runs = await drain(open(), [welcomeHandler, mailHandler])
    expect(runs.map((run) => run.job?.collection_node_id)).toEqual([queue.collectionNodeId, queue.collectionNodeId])
  })

  test('no transaction and no single client', async () => {
    const refused = { code: 'TEST_CONNECTION_SINGLE', message: expect.stringMatching(/^drain: expected a test database/) }
    await queue.db.transaction().execute((trx) => expect(drain(trx, [mailHandler])).rejects.toMatchObject(refused))
    const client = await queue.pool.connect()
    await expect(drain(client as never, [mailHandler])).rejects.toMatchObject(refused)
    client.release()
  })
})
