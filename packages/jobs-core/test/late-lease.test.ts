import { expect, test } from 'vitest'
import { waitForJob } from '../src/testing/index.ts'
import { claimsAhead } from './support/claim-ahead.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()

test('a lease that ran out, and that a heartbeat saves before anybody noticed, costs no job that was claimed ahead', async () => {
  const { handlers, arrange } = claimsAhead(queue)
  await queue.startWorker(handlers, { maxConcurrent: 1, pollIntervalMs: 50 })
  const { ids, ends } = await arrange()
  await queue.pool.query(`update job_workers set lease_expires_at = clock_timestamp() - interval '1 ms'`)
  ends.resolve()
  for (const id of ids) expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
  expect(queue.named('lease.lost')).toEqual([])
})
