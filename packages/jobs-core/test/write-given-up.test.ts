import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cancelJob } from '../src/admin/index.ts'
import { defineJob, enqueue } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler, type WriteTransaction } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'hangs_in_write', payload: z.any(), timeoutMs: 500 })
const patient = defineJob({ type: 'hangs_patiently', payload: z.any() })
const notes = async () => (await queue.pool.query('select text from notes')).rows.length

beforeAll(() => queue.pool.query('create table notes (text text)'))

/** A handler whose write says when it has begun, and never ends. */
function hanging(job: typeof definition) {
  const begun = deferred()
  let kept: WriteTransaction | undefined
  const write = async (trx: WriteTransaction) => {
    kept = trx
    await sql`insert into notes (text) values ('half')`.execute(trx)
    begun.resolve()
    await new Promise(() => {})
  }
  return { begun: begun.promise, handler: defineHandler(job, async () => ({ write })), kept: () => kept as WriteTransaction }
}

describe('a write that never ends', () => {
  test('is rolled back some time after the timeout, and the next job gets the slot', async () => {
    const { handler, kept } = hanging(definition)
    const next = defineJob({ type: 'next', payload: z.any() })
    await queue.startWorker([handler, defineHandler(next, async () => {})], { maxConcurrent: 1 })
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId, priority: 5 })
    const after = await enqueue(queue.db, next, 1, { collectionNodeId: queue.collectionNodeId })
    expect((await waitForJob(queue.db, after.id)).status).toBe('completed')
    expect(await waitForJob(queue.db, id, { status: 'retry' })).toMatchObject({ attempts: 1 })
    expect(await queue.attempts(id)).toMatchObject([{ end_reason: 'timeout', error_code: 'JOB_TIMEOUT' }])
    expect(await notes()).toBe(0)
    // Whoever kept the transaction cannot write with it into somebody else's.
    await expect(sql`insert into notes (text) values ('late')`.execute(kept())).rejects.toThrow()
    expect(await notes()).toBe(0)
  })

  test('does not keep a worker from stopping: the job is handed back uncharged', async () => {
    const { handler, begun } = hanging(patient)
    const worker = await queue.startWorker([handler])
    const { id } = await enqueue(queue.db, patient, 1, { collectionNodeId: queue.collectionNodeId })
    await begun
    await worker.stop({ drainMs: 0 })
    expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0 })
    expect(await notes()).toBe(0)
  })

  test('holds its row: a cancel says so instead of waiting', async () => {
    const { handler, begun } = hanging(patient)
    await queue.startWorker([handler], { drainMs: 0 })
    const { id } = await enqueue(queue.db, patient, 1, { collectionNodeId: queue.collectionNodeId })
    await begun
    await expect(cancelJob(queue.db, id, 'all')).rejects.toMatchObject({ code: 'JOB_LOCKED' })
  })
})
