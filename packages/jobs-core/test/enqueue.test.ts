import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueByType, enqueueMany, type Queryable } from '../src/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { untilSomebodyWaits } from './support/hold-lock.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any(), priority: 5, maxAttempts: 7 })
const handler = defineHandler(definition, async () => {})
const options = () => ({ collectionNodeId: queue.collectionNodeId })
const count = async () => Number((await queue.pool.query('select count(*) from job_queue')).rows[0].count)

describe('enqueue', () => {
  test('works on Kysely, a Kysely transaction, a pool and a client', async () => {
    const client = await queue.pool.connect()
    const ids = [
      await enqueue(queue.db, definition, { on: 'kysely' }, options()),
      await queue.db.transaction().execute((trx) => enqueue(trx, definition, { on: 'transaction' }, options())),
      await enqueue(queue.pool, definition, { on: 'pool' }, options()),
      await enqueue(client, definition, { on: 'client' }, options()),
      await enqueueByType(client, 'a_job', { on: 'type' }, options()),
    ]
    client.release()
    expect(ids.map(({ outcome }) => outcome)).toEqual(Array(5).fill('created'))
    const jobs = await Promise.all(ids.map(({ id }) => queue.job(id)))
    expect(jobs.map(({ payload }) => payload)).toEqual(['kysely', 'transaction', 'pool', 'client', 'type'].map((on) => ({ on })))
    expect(jobs[0]).toMatchObject({ status: 'pending', priority: 5, max_attempts: 7, attempts: 0, run: 0, unique_held: false, ready: true })
    expect(jobs[4]).toMatchObject({ priority: 0, max_attempts: 3 })
  })

  test('stores every option', async () => {
    const scheduledFor = new Date('2040-01-02T03:04:05.678Z')
    const { id } = await enqueue(queue.db, definition, null, {
      ...{ ...options(), priority: -3, maxAttempts: 32_767, scheduledFor, correlationId: 'order/7' },
      unique: { key: 'k', until: 'finished' },
    })
    expect(await queue.job(id)).toMatchObject({
      ...{ payload: null, priority: -3, max_attempts: 32_767, scheduled_for: scheduledFor, correlation_id: 'order/7' },
      ...{ unique_key: 'k', unique_until: 'finished', unique_held: true },
    })
  })

  test('a time gone by counts as now, the last one PostgreSQL and JavaScript share is kept', async () => {
    const past = await enqueue(queue.db, definition, 1, { ...options(), scheduledFor: new Date(Date.UTC(-4_712, 0, 1)) })
    expect(Math.abs(await queue.dueInMs(past.id))).toBeLessThan(10_000)
    const scheduledFor = new Date(Date.UTC(275_760, 0, 1))
    const far = await enqueueMany(queue.pool, definition, [{ payload: 1, scheduledFor }], options())
    const { rows } = await queue.pool.query(`select scheduled_for = '275760-01-01Z' as kept from job_queue where id = $1`, [far[0]?.id])
    expect(rows).toEqual([{ kept: true }])
  })

  test('in a transaction that rolls back leaves nothing', async () => {
    const failing = queue.db.transaction().execute(async (trx) => {
      await enqueue(trx, definition, 1, options())
      await enqueueMany(trx, definition, [{ payload: 1 }, { payload: 2, unique: { key: 'k' } }], options())
      throw new Error('the caller changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await count()).toBe(0)
  })

  test('in an open transaction is not run before the commit, and exactly once after it', async () => {
    await queue.startWorker([handler], { pollIntervalMs: 20 })
    const id = await queue.db.transaction().execute(async (trx) => {
      const { id } = await enqueue(trx, definition, 1, options())
      // The worker polls and claims other jobs all the while.
      for (let n = 0; n < 5; n++) {
        const other = await enqueue(queue.db, definition, 1, options())
        await queue.event('job.completed', (event) => event.jobId === other.id)
      }
      expect(queue.named('job.started').map((event) => event.jobId)).not.toContain(id)
      return id
    })
    await queue.event('job.completed', (event) => event.jobId === id)
    expect(queue.named('job.started').filter((event) => event.jobId === id)).toHaveLength(1)
  })

  test('needs no second connection: works in a transaction of a pool of one', async () => {
    const pool = new pg.Pool({ connectionString: queue.connectionString, max: 1 })
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    const id = await db.transaction().execute(async (trx) => {
      await enqueueMany(trx, definition, [{ payload: 1, unique: { key: 'k' } }], options())
      return (await enqueue(trx, definition, 1, options())).id
    })
    expect((await queue.job(id)).status).toBe('pending')
    await db.destroy()
  })

  test('refuses bad input before any SQL, so the transaction stays usable', async () => {
    await queue.db.transaction().execute(async (trx) => {
      const refused = (value: unknown, more: object) =>
        expect(enqueue(trx, definition, value, { ...options(), ...more })).rejects.toMatchObject({ name: 'InvalidPayloadError' })
      for (const payload of [{ a: 'x\0y' }, { 'k\0': 1 }, { id: 9_007_199_254_740_993n }, Number.NaN]) await refused(payload, {})
      for (const maxAttempts of [40_000, 0, -1, 2.5, Number.NaN]) await refused(1, { maxAttempts })
      for (const priority of [40_000, 1.5]) await refused(1, { priority })
      await refused(1, { scheduledFor: new Date('nonsense') })
      await expect(enqueueByType(trx, '', 1, options())).rejects.toMatchObject({ code: 'JOB_TYPE_INVALID' })
      for (const maxAttempts of [1, 32_767]) await enqueue(trx, definition, 1, { ...options(), maxAttempts })
    })
    expect(await count()).toBe(2)
  })

  test('of a collection that does not exist says so', async () => {
    const missing = enqueue(queue.db, definition, 1, { collectionNodeId: '01900000-0000-7000-8000-00000000dead' })
    await expect(missing).rejects.toMatchObject({ code: 'COLLECTION_NOT_FOUND', kind: 'queue', cause: { code: '23503' } })
    const many = enqueueMany(queue.db, definition, [{ payload: 1 }], { collectionNodeId: '01900000-0000-7000-8000-00000000dead' })
    await expect(many).rejects.toMatchObject({ code: 'COLLECTION_NOT_FOUND' })
  })
})

describe('enqueueMany', () => {
  test('gives 10,000 results, and sequence numbers, in the order of the input', async () => {
    const results = await enqueueMany(
      queue.db,
      definition,
      Array.from({ length: 10_000 }, (_, n) => ({ payload: n })),
      options(),
    )
    const { rows } = await queue.pool.query('select id from job_queue order by (payload)::int')
    expect(results.map(({ id }) => id)).toEqual(rows.map((row) => row.id))
    const { rows: misplaced } = await queue.pool.query(
      'select id from (select id, payload, row_number() over (order by sequence) - 1 as place from job_queue) q where place <> payload::int',
    )
    expect(misplaced).toEqual([])
  })

  test('keeps the order also where only some have unique keys', async () => {
    const keys = ['z', undefined, 'a', 'm', undefined, 'b']
    const items = keys.map((key, n) => ({ payload: n, ...(key === undefined ? {} : { unique: { key } }) }))
    const results = await enqueueMany(queue.db, definition, items, options())
    const jobs = await queue.db.selectFrom('job_queue').select(['id', 'payload', 'unique_key']).orderBy('sequence').execute()
    expect(jobs.map(({ payload }) => payload)).toEqual([0, 1, 2, 3, 4, 5])
    expect(jobs.map(({ id }) => id)).toEqual(results.map(({ id }) => id))
    expect(jobs.map(({ unique_key }) => unique_key ?? undefined)).toEqual(keys)
  })

  test("an item's own options come before the shared ones, and those before the definition's", async () => {
    const results = await enqueueMany(queue.pool, definition, [{ payload: 1 }, { payload: 2, priority: 10, maxAttempts: undefined }], {
      ...options(),
      maxAttempts: 2,
    })
    const jobs = await Promise.all(results.map(({ id }) => queue.job(id)))
    expect(jobs.map((job) => [job.priority, job.max_attempts])).toEqual([
      [5, 2],
      [10, 2],
    ])
  })

  test('two calls with the same keys in opposite order do not deadlock', async () => {
    const keys = Array.from({ length: 50 }, (_, n) => `key ${n}`)
    const items = (order: string[]) => order.map((key) => ({ payload: key, unique: { key } }))
    for (let round = 0; round < 10; round++) {
      const call = (order: string[]) => (db: Queryable) => enqueueMany(db, definition, items(order), options())
      const results = await Promise.all([call(keys), call(keys.toReversed())].map((run) => queue.db.transaction().execute(run)))
      expect(results.flat().filter(({ outcome }) => outcome === 'created')).toHaveLength(50)
      await queue.pool.query('delete from job_queue')
    }
  })

  test('a second transaction with the same key waits for the first, and takes the key when that rolls back', async () => {
    const one = (db: Queryable) => enqueue(db, definition, 1, { ...options(), unique: { key: 'k' } })
    let second: ReturnType<typeof one> | undefined
    const first = queue.db.transaction().execute(async (trx) => {
      await one(trx)
      second = one(queue.pool)
      await untilSomebodyWaits(queue.pool)
      throw new Error('rolled back')
    })
    await expect(first).rejects.toThrow('rolled back')
    expect(await second).toMatchObject({ outcome: 'created' })
    expect(await count()).toBe(1)
  })
})
