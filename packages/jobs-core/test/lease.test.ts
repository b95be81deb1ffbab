import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../src/index.ts'
import { closeRescuedWorkers } from '../src/queue/close-rescued-workers.ts'
import { deregisterWorker } from '../src/queue/deregister-worker.ts'
import { forgetWorkers } from '../src/queue/forget-workers.ts'
import { markDeadWorkers } from '../src/queue/mark-dead-workers.ts'
import { renewLease } from '../src/queue/renew-lease.ts'
import { rescueJobs } from '../src/queue/rescue-jobs.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { holdTransaction, untilSomebodyWaits } from './support/hold-lock.ts'
import { type Job, useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'

const queue = useQueue()
const statements = useStatements(queue)
const { register, claim, expire, trip } = statements
const workers = async () => (await queue.pool.query('select id, dead_at, rescued_at from job_workers')).rows

/** What the rescuer of a worker does in one turn. */
async function rescue(self: string = randomUUID()) {
  const dead = await markDeadWorkers(statements.connection, self)
  const jobs = await rescueJobs(statements.connection)
  return { dead, jobs, closed: await closeRescuedWorkers(statements.connection) }
}

/** A dead worker's jobs, before and after they were rescued. */
async function rescued(columns: object, { prefetched = false, cancel = false } = {}): Promise<Job> {
  const { id } = await queue.insert({ max_attempts: 3, unique_key: 'k', unique_until: 'finished', unique_held: true, ...columns })
  const worker = await register()
  await claim(worker, 1, prefetched ? 0 : 1)
  if (cancel) await queue.pool.query('update job_queue set cancel_requested_at = now() where id = $1', [id])
  await expire(worker)
  expect(await rescue()).toMatchObject({ dead: { marked: 1 }, jobs: [{ id }], closed: 1 })
  return queue.job(id)
}

describe('rescuing the jobs of a dead worker', () => {
  test.each([
    ['an attempt left', {}, {}, { status: 'retry', attempts: 1, unique_held: true, completed_at: null }],
    [
      'the last attempt',
      { status: 'retry', attempts: 2 },
      {},
      { status: 'error', attempts: 3, unique_held: false, completed_at: expect.any(Date) },
    ],
    ['a cancel requested', {}, { cancel: true }, { status: 'cancelled', attempts: 1, unique_held: false, completed_at: expect.any(Date) }],
    ['only prefetched', {}, { prefetched: true }, { status: 'pending', attempts: 0, unique_held: true, error_msg: null }],
    [
      'only prefetched, tried before',
      { status: 'retry', attempts: 1 },
      { prefetched: true },
      { status: 'retry', attempts: 1, completed_at: null },
    ],
  ] as const)('%s', async (_name, columns, how, expected) => {
    const job = await rescued(columns, how)
    expect(job).toMatchObject({ ...expected, run: 1, rescues: 1, worker_id: null, prefetched: false, cancel_requested_at: null })
    expect((await queue.attempts(job.id)).map((row) => row.end_reason)).toEqual('prefetched' in how ? [] : ['lease_expired'])
    if (job.ready) expect(await queue.dueInMs(job.id)).toBeLessThanOrEqual(0)
  })

  test('does not overflow', async () => {
    const job = await rescued({ attempts: 32_766, max_attempts: 32_767, rescues: 32_767 })
    expect(job).toMatchObject({ status: 'error', attempts: 32_767, rescues: 32_767 })
  })

  test('leaves a lease that holds alone, however late its heartbeat comes', async () => {
    await queue.insert()
    const worker = await register()
    const [job] = await claim(worker, 1)
    expect(await rescue()).toMatchObject({ dead: { marked: 0, waiting: 0 }, jobs: [], closed: 0 })
    await expire(worker)
    expect(await renewLease(statements.connection, { id: worker, leaseMs: 60_000, loopSilentMs: 0, heldFrom: 0 })).toBe(true)
    expect((await rescue()).dead.marked).toBe(0)
    await expire(worker)
    await rescue()
    expect(await renewLease(statements.connection, { id: worker, leaseMs: 60_000, loopSilentMs: 0, heldFrom: 0 })).toBe(false)
    expect((await queue.job(job?.id ?? '')).status).toBe('retry')
  })

  test('is for others: nobody declares itself dead, for its heartbeat may still come', async () => {
    const worker = await register()
    await expire(worker)
    expect((await rescue(worker)).dead.marked).toBe(0)
    expect((await rescue()).dead.marked).toBe(1)
  })

  test('does not overwrite a job that is just being settled, and does not wait for it', async () => {
    const [settling, other] = [await queue.insert({ priority: 1 }), await queue.insert()]
    const worker = await register()
    await claim(worker, 2)
    await expire(worker)
    const open = await holdTransaction(
      queue.pool,
      `update job_queue set status = 'completed', completed_at = now(), result = '"by S"' where id = $1`,
      [settling.id],
    )
    expect(await rescue()).toMatchObject({ jobs: [{ id: other.id }], closed: 0 })
    for (let sweep = 0; sweep < 2; sweep++) expect(await rescue()).toMatchObject({ dead: { marked: 0, waiting: 1 }, jobs: [], closed: 0 })
    await open.commit()
    expect(await rescue()).toMatchObject({ jobs: [], closed: 1 })
    expect(await queue.job(settling.id)).toMatchObject({ status: 'completed', result: 'by S', attempts: 1, rescues: 0 })
  })

  test('takes back later what a rolled-back settle had locked', async () => {
    const { id } = await queue.insert()
    const worker = await register()
    await claim(worker, 1)
    await expire(worker)
    const open = await holdTransaction(queue.pool, 'select from job_queue where id = $1 for update', [id])
    expect(await rescue()).toMatchObject({ jobs: [], closed: 0 })
    await open.rollback()
    expect(await rescue()).toMatchObject({ jobs: [{ id }], closed: 1 })
  })

  test('does not declare a worker dead in the middle of a claim, whose jobs would be lost', async () => {
    const [running, next] = [await queue.insert({ priority: 1 }), await queue.insert()]
    const worker = await register()
    const [job] = await claim(worker, 1)
    // The claim is held up by the settle that goes with it.
    const open = await holdTransaction(queue.pool, 'select from job_queue where id = $1 for update', [running.id])
    const completed = [{ id: running.id, run: job?.run ?? 0, resultJson: null, mayHaveSteps: false }]
    const claiming = trip({ workerId: worker, completed, limit: 1, freeSlots: 1 })
    await untilSomebodyWaits(queue.pool)
    await expire(worker)
    expect((await rescue()).dead.marked).toBe(0)
    await open.rollback()
    expect(await claiming).toMatchObject({ alive: true, claimed: [{ id: next.id }] })
    expect(await rescue()).toMatchObject({ dead: { marked: 1 }, jobs: [{ id: next.id }], closed: 1 })
  })

  test('by ten rescuers at once takes each job back once', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, async () => (await queue.insert()).id))
    for (let n = 0; n < 3; n++) {
      const worker = await register()
      await claim(worker, 20)
      await expire(worker)
    }
    const all = (await Promise.all(Array.from({ length: 10 }, () => rescue()))).flatMap(({ jobs }) => jobs.map((job) => job.id))
    expect(all.sort()).toEqual(ids.sort())
    expect(await rescue()).toMatchObject({ jobs: [] })
    expect((await workers()).every((row) => row.rescued_at !== null)).toBe(true)
  })

  test('of thousands goes on in further turns', async () => {
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload) select $1, 'test_job', '{}' from generate_series(1, 1200)`,
      [queue.collectionNodeId],
    )
    const worker = await register()
    await claim(worker, 1_200)
    await expire(worker)
    const turns = [await rescue(), await rescue(), await rescue()]
    expect(turns.map(({ jobs, closed }) => [jobs.length, closed])).toEqual([
      [500, 0],
      [500, 0],
      [200, 1],
    ])
  })
})

describe('a registration', () => {
  test('ends with its row when nothing runs, else with its lease', async () => {
    const { id } = await queue.insert()
    const [idle, busy] = [await register(), await register()]
    await claim(busy, 1)
    await deregisterWorker(statements.connection, idle)
    await deregisterWorker(statements.connection, busy)
    expect(await workers()).toMatchObject([{ id: busy, dead_at: null }])
    expect(await trip({ workerId: busy, limit: 1, freeSlots: 1 })).toMatchObject({ alive: false })
    expect(await rescue()).toMatchObject({ dead: { marked: 1 }, jobs: [{ id }], closed: 1 })
  })

  test('of a dead worker is forgotten a week after its jobs were rescued', async () => {
    const [old, recent] = [await register(), await register()]
    await queue.pool.query(
      `update job_workers set dead_at = now(), rescued_at = now() - case when id = $1 then interval '8 days' else interval '6 days' end`,
      [old],
    )
    await forgetWorkers(statements.connection)
    expect(await workers()).toMatchObject([{ id: recent }])
  })
})

describe('a worker that finds its lease lost', () => {
  test('aborts its runs, writes nothing about them, registers anew and goes on', async () => {
    const definition = defineJob({ type: 'a_job', payload: z.any() })
    const ends = deferred()
    let reason: unknown
    await queue.startWorker(
      [
        defineHandler(definition, async ({ signal, payload }) => {
          if (payload !== 'waits') return {}
          signal.addEventListener('abort', () => {
            reason = signal.reason
          })
          await ends.promise
          return { result: 'stale' }
        }),
      ],
      { leaseMs: 1_000, maxConcurrent: 1 },
    )
    const { id } = await enqueue(queue.db, definition, 'waits', { collectionNodeId: queue.collectionNodeId })
    const { workerId } = await queue.event('worker.started')
    await queue.event('job.started')
    await queue.pool.query('update job_workers set dead_at = clock_timestamp() where id = $1', [workerId])
    expect(await queue.event('lease.lost')).toMatchObject({ workerId, running: 1 })
    expect(reason).toMatchObject({ code: 'LEASE_LOST', kind: 'queue' })
    const again = await queue.event('worker.started', (event) => event.workerId !== workerId)
    // Its own rescuer takes the job back: to a new run, under the new registration.
    await queue.event('job.started', (event) => event.jobId === id && event.run === 2)
    ends.resolve()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', run: 2, attempts: 2, worker_id: again.workerId })
    await queue.event('job.completed', (event) => event.run === 2)
    expect(queue.named('job.completed')).toHaveLength(1)
  })

  test('stops all the same, also while it registers anew', async () => {
    const definition = defineJob({ type: 'a_job', payload: z.any() })
    for (let round = 0; round < 20; round++) {
      const worker = await queue.startWorker([defineHandler(definition, async () => {})], { leaseMs: 1_000 })
      await queue.pool.query('update job_workers set dead_at = clock_timestamp()')
      await queue.event('lease.lost', () => queue.named('lease.lost').length === round + 1)
      for (let spin = 0; spin < round * 5; spin++) await new Promise((resolve) => setImmediate(resolve))
      await worker.stop()
    }
    const listening = `select from pg_stat_activity where datname = current_database() and query ilike 'listen%'`
    await vi.waitFor(async () => expect((await queue.pool.query(listening)).rows).toEqual([]), { timeout: 5_000 })
    expect((await workers()).filter((row) => row.dead_at === null)).toEqual([])
  })
})
