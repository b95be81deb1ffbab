import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

/** A second and a half; `npm run outages` has it last 20 s. */
const outageMs = inject('outageMs')
const timeout = 30_000 + 4 * outageMs

const queue = useQueue()
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const definition = defineJob({ type: 'a_job', payload: z.any() })
const handler = defineHandler(definition, async () => ({ result: 'done' }))
const add = async () => (await enqueue(queue.db, definition, 1, shared())).id
const completed = (id: string) => waitForJob(queue.db, id, { timeoutMs: 10_000 })
const lasting = () => queue.pool.query('select pg_sleep($1::float8 / 1000)', [outageMs])

describe('a server out of connections', () => {
  const role = `limited_${randomUUID().replaceAll('-', '')}`
  const admin = (statement: string) => queue.pool.query(statement)
  let limited = ''
  beforeAll(async () => {
    await admin(`create role ${role} login password 'limited'`)
    await admin(`grant all on all tables in schema public to ${role}`)
    await admin(`grant usage on all sequences in schema public to ${role}`)
    const url = new URL(queue.connectionString)
    url.username = role
    url.password = 'limited'
    limited = url.toString()
  })
  afterAll(async () => {
    await admin(`drop owned by ${role}`)
    await admin(`drop role ${role}`)
  })

  test('when a worker starts is waited for', { timeout }, async () => {
    await admin(`alter role ${role} connection limit 0`)
    const starting = queue.startWorker([handler], { connection: limited })
    expect(await queue.event('database.lost')).toMatchObject({ during: 'start', error: { code: '53300' } })
    await lasting()
    expect(queue.named('database.lost')).toHaveLength(1)
    await admin(`alter role ${role} connection limit -1`)
    await starting
    await completed(await add())
  })

  test('while it works costs no job anything', { timeout }, async () => {
    await admin(`alter role ${role} connection limit -1`)
    const ends = deferred()
    const writes = defineHandler(definition, async () => {
      await ends.promise
      return { write: async () => {} }
    })
    await queue.startWorker([writes], { connection: limited, maxConcurrent: 5, leaseMs: 60_000 })
    const jobs = await enqueueMany(queue.db, definition, Array(5).fill({ payload: 1 }), shared())
    await queue.event('job.started', () => queue.named('job.started').length === 5)
    // No new connection for the writes. What is connected stays.
    await admin(`alter role ${role} connection limit 0`)
    ends.resolve()
    await queue.event('settle.retried', ({ error }) => error.code === '53300')
    await lasting()
    await admin(`alter role ${role} connection limit -1`)
    for (const { id } of jobs) expect(await completed(id)).toMatchObject({ status: 'completed', attempts: 1, run: 1 })
  })

  test('of which it can never have enough is said at the start', async () => {
    await admin(`alter role ${role} connection limit 5`)
    await expect(queue.startWorker([handler], { connection: limited })).rejects.toMatchObject({
      code: 'TOO_FEW_CONNECTIONS',
      message: expect.stringContaining('allows this role 5 connections; a worker needs at least 6'),
    })
  })

  test('has as many write at a time as fit, with a word about it; all of them are done once', async () => {
    await admin(`alter role ${role} connection limit 7`)
    let most = 0
    let now = 0
    const writes = defineHandler(definition, async () => ({
      write: async (trx) => {
        most = Math.max(most, ++now)
        await trx.executeQuery({ sql: 'select pg_sleep(0.05)', parameters: [] } as never)
        now--
      },
    }))
    await queue.startWorker([writes], { connection: limited, maxConcurrent: 10 })
    expect(await queue.event('connections.few')).toMatchObject({ allowed: 7, wanted: 15, writers: 2 })
    const jobs = await enqueueMany(queue.db, definition, Array(20).fill({ payload: 1 }), shared())
    for (const { id } of jobs) expect(await completed(id)).toMatchObject({ status: 'completed', attempts: 1, run: 1 })
    expect(most).toBe(2)
    expect(queue.named('settle.retried')).toEqual([])
  })
})
