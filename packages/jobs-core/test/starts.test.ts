import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueueMany } from '../src/index.ts'
import { deregisterWorker } from '../src/queue/deregister-worker.ts'
import { forgetStarts } from '../src/queue/forget-starts.ts'
import { markDeadWorkers } from '../src/queue/mark-dead-workers.ts'
import { rescueJobs } from '../src/queue/rescue-jobs.ts'
import { showStarted } from '../src/queue/show-started.ts'
import { defineHandler } from '../src/worker/index.ts'
import { useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'

const queue = useQueue()
const statements = useStatements(queue)
const { register, claim, expire, trip } = statements

describe('starting a prefetched job', () => {
  const starts = async () => (await queue.pool.query('select * from job_starts')).rows

  test('is noted beside it, many in one row, and it may start when that is done', async () => {
    await queue.insert()
    const worker = await register()
    expect(await trip({ workerId: worker })).toMatchObject({ started: false })
    expect(await trip({ workerId: worker, starting: [3, 1, 2, 7] })).toMatchObject({ started: true })
    expect(await starts()).toEqual([{ worker_id: worker, claims: '{[1,4),[7,8)}', last_claim: '7' }])
  })

  test('is forgotten when the job is over, or its worker', async () => {
    const worker = await register()
    for (const claim of [1, 2, 3]) await trip({ workerId: worker, starting: [claim] })
    await forgetStarts(statements.connection, { workerId: worker, from: 0, to: 3 })
    expect(await starts()).toMatchObject([{ last_claim: '3' }])
    await deregisterWorker(statements.connection, worker)
    expect(await starts()).toEqual([])
  })

  test('shows in its own row when it runs on', async () => {
    await queue.insert()
    const [job] = await claim(await register(), 1, 0)
    if (!job) throw new Error('a job was to be claimed')
    await showStarted(statements.connection, [{ ...job, run: job.run + 1 }])
    expect(await queue.job(job.id)).toMatchObject({ prefetched: true })
    await showStarted(statements.connection, [job])
    expect(await queue.job(job.id)).toMatchObject({ prefetched: false })
  })

  test('is refused to a worker that is dead', async () => {
    await queue.insert()
    const worker = await register()
    const claimed = await claim(worker, 1, 0)
    await queue.pool.query('update job_workers set dead_at = now() where id = $1', [worker])
    expect(await trip({ workerId: worker, starting: claimed.map((job) => job.claim) })).toMatchObject({ alive: false, started: false })
    expect(await starts()).toEqual([])
  })

  test('of jobs claimed ahead, those that were cleared to start keep the attempt', async () => {
    const inserted = [await queue.insert(), await queue.insert(), await queue.insert()]
    const worker = await register()
    const claimed = await claim(worker, 3, 0)
    await trip({ workerId: worker, starting: [claimed[0]?.claim ?? 0, claimed[2]?.claim ?? 0] })
    await expire(worker)
    await markDeadWorkers(statements.connection, randomUUID())
    expect(await rescueJobs(statements.connection)).toHaveLength(3)
    const jobs = await Promise.all(inserted.map(({ id }) => queue.job(id)))
    expect(jobs.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['retry', 1],
      ['pending', 0],
      ['retry', 1],
    ])
    const notes = await Promise.all(inserted.map(({ id }) => queue.attempts(id)))
    expect(notes.map((rows) => rows.map((row) => row.end_reason))).toEqual([['lease_expired'], [], ['lease_expired']])
  })

  test('is noted and forgotten by a worker that goes on', async () => {
    const fast = defineJob({ type: 't_fast', payload: z.number() })
    const seen = new Set<string>()
    const handler = defineHandler(fast, async ({ payload }) => {
      if (payload % 100 === 0) for (const { last_claim } of await starts()) seen.add(last_claim)
    })
    await enqueueMany(
      queue.db,
      fast,
      Array.from({ length: 1_000 }, (_, n) => ({ payload: n })),
      { collectionNodeId: queue.collectionNodeId },
    )
    await queue.startWorker([handler])
    await queue.event('job.completed', () => queue.named('job.completed').length === 1_000)
    expect(seen.size).toBeGreaterThan(0)
    await vi.waitFor(async () => expect(await starts()).toEqual([]), { timeout: 10_000, interval: 50 })
  })
})
