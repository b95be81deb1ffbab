import { afterEach, describe, expect, test } from 'vitest'
import { enqueueByType } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { useQueue } from './support/use-queue.ts'
import { killProcesses, startProcess } from './support/worker-process.ts'

const queue = useQueue()
afterEach(killProcesses)

const quarterMs = 15 * 60_000
/** Much shorter than the clocks are apart, and long enough that a busy machine renews it in time. */
const leaseMs = 3_000
const options = { leaseMs, pollIntervalMs: 50, maxConcurrent: 1 }
const add = async (type: string, more: object = {}) =>
  (await enqueueByType(queue.db, type, 1, { collectionNodeId: queue.collectionNodeId, ...more })).id

describe('workers whose clocks are a quarter of an hour fast and slow', () => {
  test('keep their leases, start nothing early, and count backoff by the database', async () => {
    const workers = await Promise.all(
      [quarterMs, 0, -quarterMs].map((clockShiftMs) => startProcess(queue.connectionString, { ...options, clockShiftMs })),
    )
    const ids = await Promise.all([1, 2, 3].map(() => add('t_wait')))
    await Promise.all(workers.map((worker) => worker.event('job.started')))
    // Longer than two leases, each renewing its own and looking out for the others' dead.
    const renewing = `select from job_workers where heartbeat_at > registered_at + 2 * $1::float8 * interval '1 ms'`
    while ((await queue.pool.query(renewing, [leaseMs])).rows.length < 3) await queue.pool.query('select pg_sleep(0.05)')
    for (const [index, worker] of workers.entries()) worker.tell(index === 1 ? 'ok' : 'throw')
    await Promise.all(ids.map((id) => waitForJob(queue.db, id, { status: ['completed', 'retry'] })))
    for (const id of ids) {
      const job = await queue.job(id)
      expect(job).toMatchObject({ attempts: 1, run: 1, rescues: 0 })
      expect(job.started_at?.getTime()).toBeGreaterThanOrEqual(job.created_at.getTime())
      if (job.status === 'completed') expect(job.completed_at?.getTime()).toBeGreaterThanOrEqual(job.started_at?.getTime() ?? 0)
      else expect(Math.abs((await queue.dueInMs(id)) - 31_500)).toBeLessThan(6_000)
    }
    expect(workers.flatMap((worker) => worker.events.filter((event) => event.name === 'lease.lost'))).toEqual([])

    await queue.pool.query(
      `select enqueue_job($1, 't_fast', '1', scheduled_for => clock_timestamp() + interval '300 ms') from generate_series(1, 30)`,
      [queue.collectionNodeId],
    )
    while ((await queue.pool.query(`select from job_queue where job_type = 't_fast' and status <> 'completed'`)).rows.length > 0) {
      await queue.pool.query('select pg_sleep(0.02)')
    }
    const { rows } = await queue.pool.query(
      `select count(*)::int, bool_and(started_at >= scheduled_for) as in_time, bool_and(completed_at >= started_at) as in_order
       from job_queue where job_type = 't_fast'`,
    )
    expect(rows).toEqual([{ count: 30, in_time: true, in_order: true }])
  })
})
