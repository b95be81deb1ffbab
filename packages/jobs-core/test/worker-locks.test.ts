import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, enqueueMany } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { holdTransaction } from './support/hold-lock.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const fast = defineJob({ type: 'fast', payload: z.any() })
const slow = defineJob({ type: 'slow', payload: z.any() })
const shared = () => ({ collectionNodeId: queue.collectionNodeId })
const lock = (id: string) => holdTransaction(queue.pool, 'select from job_queue where id = $1 for update', [id])
const fastHandler = defineHandler(fast, async () => {})

describe('a row that somebody has locked', () => {
  test('does not hold up the others, whether it succeeded or failed; it is settled when the lock goes', async () => {
    const ends = deferred()
    await queue.startWorker([
      fastHandler,
      defineHandler(slow, async ({ payload }) => {
        await ends.promise
        if (payload === 'fails') throw new Error('failed')
      }),
    ])
    const results = await enqueueMany(queue.db, slow, [{ payload: 'fine' }, { payload: 'fails' }], shared())
    const [fine, fails] = results.map(({ id }) => id) as [string, string]
    await queue.event('job.started', () => queue.named('job.started').length === 2)
    const locks = [await lock(fine), await lock(fails)]
    ends.resolve()
    await queue.event('settle.retried')
    // Two rounds of claims and settles by the same worker while the rows stay locked.
    for (const count of [100, 100]) {
      const others = await enqueueMany(queue.db, fast, Array(count).fill({ payload: 1 }), shared())
      for (const { id } of others) expect((await waitForJob(queue.db, id, { timeoutMs: 5_000 })).status).toBe('completed')
    }
    expect([(await queue.job(fine)).status, (await queue.job(fails)).status]).toEqual(['running', 'running'])
    await Promise.all(locks.map((held) => held.rollback()))
    expect(await waitForJob(queue.db, fine)).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await waitForJob(queue.db, fails, { status: 'retry' })).toMatchObject({ error_msg: 'failed' })
    expect(queue.named('job.completed').filter((event) => event.jobId === fine)).toHaveLength(1)
    expect(queue.named('database.lost')).toEqual([])
  })

  test('does not hold up the others when it was claimed ahead', async () => {
    const ends = deferred()
    await queue.startWorker([fastHandler, defineHandler(slow, () => ends.promise)], { maxConcurrent: 1 })
    await enqueueMany(queue.db, fast, Array(200).fill({ payload: 1 }), shared())
    await queue.event('job.completed', () => queue.named('job.completed').length === 200)
    // The slow one comes first and takes the slot; fast as jobs were so far, the others are claimed ahead.
    const first = await queue.db.transaction().execute(async (trx) => {
      const { id } = await enqueue(trx, slow, 1, { ...shared(), priority: 10 })
      await enqueueMany(trx, fast, Array(50).fill({ payload: 2 }), shared())
      return id
    })
    await queue.event('job.started', (event) => event.jobId === first)
    const { rows } = await queue.pool.query('select id from job_queue where prefetched order by sequence limit 1')
    const ahead = rows[0].id
    const held = await lock(ahead)
    // After a while without a slot they are handed back; the locked one cannot be.
    await queue.event('job.released', () => queue.named('job.released').length >= 40)
    ends.resolve()
    const { rows: others } = await queue.pool.query(`select id from job_queue where payload = '2' and id <> $1`, [ahead])
    for (const { id } of others) expect((await waitForJob(queue.db, id, { timeoutMs: 5_000 })).status).toBe('completed')
    expect((await queue.job(ahead)).status).toBe('running')
    await held.rollback()
    expect(await waitForJob(queue.db, ahead)).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await queue.attempts(ahead)).toEqual([])
  })
})
