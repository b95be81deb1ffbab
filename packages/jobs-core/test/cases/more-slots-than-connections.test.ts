import '../support/as-queue-worker.ts'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { openWriter } from '../../src/database/open-writer.ts'
import { defineJob, enqueueMany } from '../../src/index.ts'
import { waitForJob } from '../../src/testing/index.ts'
import { defineHandler, type HandlerReturn, type WriteTransaction } from '../../src/worker/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any(), maxAttempts: 1 })
const options = { maxConcurrent: 10, leaseMs: 2_000, pollIntervalMs: 50 }
/** Twenty by `npm run cases`. */
const jobs = inject('fullCases') ? 20 : 6
const role = () => new URL(queue.connectionString).username

/** Longer than the lease, in statements that are not. */
async function holdFor3Seconds(trx: WriteTransaction): Promise<void> {
  for (let n = 0; n < 6; n++) await sql`select pg_sleep(0.5)`.execute(trx)
}

async function run(handle: () => Promise<HandlerReturn | undefined>) {
  // Whoever would take the jobs if the lease ran out.
  await queue.startWorker([], { ...options, leaseMs: 60_000, connection: queue.database.connectionString })
  await queue.startWorker([defineHandler(definition, handle)], options)
  const added = await enqueueMany(queue.db, definition, Array(jobs).fill({ payload: 1 }), { collectionNodeId: queue.collectionNodeId })
  for (const { id } of added) await waitForJob(queue.db, id, { timeoutMs: 50_000 })
  const troubles = queue.events.filter(({ name }) =>
    ['lease.lost', 'settle.retried', 'job.gone', 'database.lost', 'jobs.rescued'].includes(name),
  )
  expect(troubles).toEqual([])
  const { rows } = await queue.pool.query('select status, attempts, run, error_msg, count(*)::int from job_queue group by 1, 2, 3, 4')
  expect(rows).toEqual([{ status: 'completed', attempts: 1, run: 1, error_msg: null, count: jobs }])
}

describe('more jobs in ten slots than there are connections, which hold a transaction for longer than the lease, three at a time,', {
  timeout: 60_000,
}, () => {
  test('in their handlers, from a pool of three: each runs once', async () => {
    // As an application's own: who wants a fourth connection waits.
    const db = openWriter({ connectionString: queue.connectionString }, 3)
    await run(async () => {
      await db.transaction().execute((trx) => sql`select pg_sleep(3)`.execute(trx))
      return undefined
    })
    await db.destroy()
  })

  test('in their writes, where the server has no more connections to give: each runs once, and the worker has said so', async () => {
    // Five of the worker's own, and three to write.
    await queue.pool.query(`alter role ${role()} connection limit 8`)
    try {
      await run(async () => ({ write: holdFor3Seconds }))
      expect(queue.named('connections.few')).toMatchObject([{ wanted: 15, allowed: 8, writers: 3 }])
    } finally {
      await queue.pool.query(`alter role ${role()} connection limit -1`)
    }
  })
})
