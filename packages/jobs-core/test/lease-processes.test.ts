import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueueByType, enqueueMany } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'
import { killProcesses, startProcess } from './support/worker-process.ts'

const queue = useQueue()
afterEach(killProcesses)

const leaseMs = 1_000
const pollIntervalMs = 100
const waits = defineJob({ type: 't_wait', payload: z.any() })
const fast = defineJob({ type: 't_fast', payload: z.any() })
const handler = defineHandler(waits, async () => ({ result: { by: 'the other worker' } }))
const add = async (type: string, options: object = {}) =>
  (await enqueueByType(queue.db, type, 1, { collectionNodeId: queue.collectionNodeId, ...options })).id
const start = (more: object = {}) => startProcess(queue.connectionString, { leaseMs, pollIntervalMs, ...more })

describe('a worker that is killed', () => {
  test.each([false, true])('loses its job to another within its lease and two polls, which already ran: %s', async (alreadyRan) => {
    const worker = await start()
    const id = await add('t_wait')
    await worker.event('job.started')
    if (alreadyRan) await queue.startWorker([handler], { leaseMs, pollIntervalMs })
    worker.signal('SIGKILL')
    await worker.ended
    const { rows } = await queue.pool.query('select clock_timestamp() as now')
    if (!alreadyRan) await queue.startWorker([handler], { leaseMs, pollIntervalMs })
    const job = await waitForJob(queue.db, id, { timeoutMs: 20_000 })
    expect(job).toMatchObject({ status: 'completed', result: { by: 'the other worker' }, attempts: 2, run: 2, rescues: 1, error_msg: null })
    expect(await queue.attempts(id)).toMatchObject([{ run: 1, attempt: 1, end_reason: 'lease_expired', error_code: 'LEASE_EXPIRED' }])
    // Two seconds more for a machine that has much else to do.
    expect((job.started_at?.getTime() ?? 0) - rows[0].now.getTime()).toBeLessThan(leaseMs + 2 * pollIntervalMs + 2_000)
    expect(await queue.event('jobs.rescued')).toMatchObject({ jobs: 1, workers: 1 })
  })

  test('by the same job again and again: that runs max_attempts times, what was claimed ahead loses no attempt', async () => {
    const ahead: string[] = []
    // On a machine under load the worker may not have claimed ahead by the time it is killed; then once more.
    for (let tries = 0; tries < 5 && ahead.length === 0; tries++) ahead.push(...(await killThreeTimes()))
    expect(ahead.length).toBeGreaterThan(0)
    await queue.startWorker([defineHandler(fast, async () => {})])
    for (const id of ahead) {
      expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
      expect(await queue.attempts(id)).toEqual([])
    }
  })
})

/** Lets a poisonous job kill three workers. Gives the ids of what they had claimed ahead. */
async function killThreeTimes(): Promise<string[]> {
  const shared = { collectionNodeId: queue.collectionNodeId }
  const poison = await add('t_poison', { maxAttempts: 3, scheduledFor: new Date(Date.now() + 3_600_000) })
  const ahead: string[] = []
  for (let kills = 1; kills <= 3; kills++) {
    const worker = await start({ maxConcurrent: 1 })
    // Fast jobs first, so that the worker claims ahead; then the poison with others behind it.
    const before = await enqueueMany(queue.db, fast, Array(100).fill({ payload: 1 }), shared)
    for (const { id } of before) await waitForJob(queue.db, id)
    await queue.db.transaction().execute(async (trx) => {
      await sql`update job_queue set scheduled_for = 'epoch' where id = ${poison}`.execute(trx)
      await enqueueMany(trx, fast, Array(100).fill({ payload: 2 }), shared)
    })
    await worker.ended
    await untilNoneConnected()
    expect(worker.events.filter((event) => event.name === 'job.started' && event.jobId === poison)).toHaveLength(1)
    const { rows } = await queue.pool.query(
      `select id from job_queue q where prefetched and not exists (
        select from job_starts s where s.worker_id = q.worker_id and q.claim <@ s.claims)`,
    )
    ahead.push(...rows.map((row) => row.id))
    await rescueTheDead()
    expect(await queue.job(poison)).toMatchObject({ status: kills === 3 ? 'error' : 'retry', attempts: kills, rescues: kills })
    for (const { id } of rows) expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0, rescues: 1, prefetched: false })
    await queue.pool.query(`update job_queue set scheduled_for = now() + interval '1 hour' where id = $1`, [poison])
  }
  expect((await queue.job(poison)).error_msg).toContain('stopped renewing its lease')
  expect((await queue.attempts(poison)).map(({ end_reason }) => end_reason)).toEqual(Array(3).fill('lease_expired'))
  return ahead
}

/** The server goes on with a statement of a client that was killed; what it changes and locks is known when its connection is gone. */
async function untilNoneConnected(): Promise<void> {
  const connected = `select from pg_stat_activity where datname = current_database() and application_name like 'sidelinja%'`
  while ((await queue.pool.query(connected)).rows.length > 0) await queue.pool.query('select pg_sleep(0.01)')
}

/** Until the dead worker is closed: it has no job left then. */
async function rescueTheDead(): Promise<void> {
  await queue.pool.query('update job_workers set lease_expires_at = clock_timestamp() where dead_at is null')
  const before = queue.named('jobs.rescued').length
  const rescuer = await queue.startWorker([], { pollIntervalMs: 10 })
  await queue.event('jobs.rescued', (event) => event.workers > 0 && queue.named('jobs.rescued').indexOf(event) >= before)
  await rescuer.stop()
}

describe('a worker that is paused past its lease', () => {
  test.each(['ok', 'throw'] as const)('changes nothing when it wakes up and its handler says %s; it goes on serving', async (says) => {
    const stale = await start()
    const id = await add('t_wait')
    await stale.event('job.started')
    stale.signal('SIGSTOP')
    const ended = deferred()
    await queue.startWorker(
      [
        defineHandler(waits, async () => {
          await ended.promise
          return { result: { by: 'the other worker' } }
        }),
      ],
      { leaseMs, pollIntervalMs },
    )
    await queue.event('job.started', (event) => event.jobId === id)
    ended.resolve()
    const completed = await waitForJob(queue.db, id)
    stale.tell(says)
    stale.signal('SIGCONT')
    await stale.event('lease.lost')
    // Registered anew under another id; the first other worker stops, so that the next job can only be the stale one's.
    const ids = () => stale.events.flatMap((event) => (event.name === 'worker.started' ? [event.workerId] : []))
    await stale.event('worker.started', (event) => event.name === 'worker.started' && event.workerId !== ids()[0])
    expect(await queue.job(id)).toEqual(completed)
    expect(completed).toMatchObject({ status: 'completed', result: { by: 'the other worker' }, attempts: 2 })
    const next = await add('t_fast')
    expect(await waitForJob(queue.db, next)).toMatchObject({ status: 'completed', worker_id: ids()[1] })
    expect(stale.events.filter((event) => event.name === 'job.completed' && event.jobId === id)).toEqual([])
  })

  test('wakes up to a row that its handler settled, when nobody had taken the job', async () => {
    const worker = await start()
    const id = await add('t_wait')
    await worker.event('job.started')
    worker.signal('SIGSTOP')
    const expired = `select from job_workers where lease_expires_at < clock_timestamp()`
    while ((await queue.pool.query(expired)).rows.length === 0) await queue.pool.query('select pg_sleep(0.05)')
    worker.tell('ok')
    worker.signal('SIGCONT')
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: { by: worker.pid }, attempts: 1 })
    expect(worker.events.filter((event) => event.name === 'lease.lost')).toEqual([])
  })
})
