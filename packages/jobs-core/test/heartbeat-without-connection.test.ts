import './support/as-queue-worker.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const role = () => new URL(queue.connectionString).username
const thread = `query like '%update job_workers%held_from%'`
const lifeline = `query like '%cancel_requested_at is not null and status%' or query like '%and q.claim < $3%'`
const until = async (sql: string, ...values: unknown[]) => {
  while ((await queue.pool.query(sql, values)).rows.length === 0) await queue.pool.query('select pg_sleep(0.05)')
}

test.each([
  ['threads', thread],
  ['threads and lifelines', `(${thread} or ${lifeline})`],
])('%s that get no connection do not cost the lease: the event loop renews it, and says so', async (_name, which) => {
  const ends = deferred()
  const handler = defineHandler(definition, async () => {
    await ends.promise
  })
  // The rescuer in waiting.
  await queue.startWorker([], { leaseMs: 60_000, pollIntervalMs: 20, connection: queue.database.connectionString })
  await queue.startWorker([handler], { leaseMs: 2_000, pollIntervalMs: 50, maxConcurrent: 1 })
  const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
  await queue.event('job.started')
  const connections = `from pg_stat_activity where usename = $1 and ${which}`
  await until(`select ${connections} having bool_or(${thread}) and count(*) >= $2`, role(), which === thread ? 1 : 2)
  await queue.pool.query(`alter role ${role()} connection limit 1`)
  try {
    await queue.pool.query(`select pg_terminate_backend(pid) ${connections}`, [role()])
    expect(await queue.event('heartbeat.inline')).toMatchObject({ error: { message: expect.stringContaining('too many connections') } })
    await until(`select where clock_timestamp() > $1::timestamptz + interval '6 s'`, new Date())
    expect(queue.named('lease.lost')).toEqual([])
    expect(await queue.job(id)).toMatchObject({ status: 'running', run: 1 })
    expect(queue.named('heartbeat.inline')).toHaveLength(1)
  } finally {
    await queue.pool.query(`alter role ${role()} connection limit -1`)
  }
  ends.resolve()
  expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1, run: 1 })
})
