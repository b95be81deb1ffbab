import { describe, expect, test } from 'vitest'
import { waitForJob } from '../src/testing/index.ts'
import { claimsAhead } from './support/claim-ahead.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()

describe('a lease that has run out, and that a heartbeat then saves because nobody took the jobs', () => {
  test('costs no job that was about to start: each is run', async () => {
    const { handlers, arrange } = claimsAhead(queue)
    await queue.startWorker(handlers, { maxConcurrent: 1, leaseMs: 60_000 })
    // More than once: where the machine is slow, the jobs may be handed back before the lease is over.
    for (let round = 0; round < 5; round++) {
      const { ids, ends } = await arrange()
      // The next round trip is to clear some of them to start, and finds the lease over.
      await queue.pool.query(`update job_workers set lease_expires_at = clock_timestamp() - interval '1 second'`)
      ends.resolve()
      for (const id of ids) expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', rescues: 0 })
    }
    expect(queue.named('lease.lost')).toEqual([])
  })
})
