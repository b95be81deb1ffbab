import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueueMany } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { claimsAhead } from './support/claim-ahead.ts'
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
    await queue.event('job.completed', (event) => event.jobId === fine)
    expect(queue.named('job.completed').filter((event) => event.jobId === fine)).toHaveLength(1)
    expect(queue.named('database.lost')).toEqual([])
  })

  test('does not hold up the others when it was claimed ahead', async () => {
    const { handlers, arrange } = claimsAhead(queue)
    await queue.startWorker(handlers, { maxConcurrent: 1 })
    const { ids, ends } = await arrange()
    const held = await lock(ids[0] ?? '')
    // After a while without a slot they are handed back; the locked one cannot be.
    await queue.event('job.released', (event) => event.jobId === ids.at(-1))
    ends.resolve()
    for (const id of ids.slice(1)) expect((await waitForJob(queue.db, id, { timeoutMs: 5_000 })).status).toBe('completed')
    const locked = await queue.job(ids[0] ?? '')
    expect(locked).toMatchObject({ status: expect.stringMatching(/running|pending/) })
    await held.rollback()
    expect(await waitForJob(queue.db, locked.id)).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await queue.attempts(locked.id)).toEqual([])
  })
})
