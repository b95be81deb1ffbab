import { afterEach, describe, expect, test } from 'vitest'
import { enqueueByType } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'
import { killProcesses, startProcess } from './support/worker-process.ts'

const queue = useQueue()
const { register, trip } = useStatements(queue)
afterEach(killProcesses)

const rescued = (columns: object = {}) => queue.insert({ status: 'retry', attempts: 1, rescues: 1, ...columns })
const lastChance = (columns: object = {}) => rescued({ attempts: 2, ...columns })
const ids = (jobs: readonly { id: string }[]) => jobs.map((job) => job.id)

describe('jobs that were taken back from a dead worker', () => {
  test('run beside each other while each has an attempt to lose', async () => {
    const jobs = [await rescued(), await rescued()]
    const result = await trip({ workerId: await register(), limit: 3, freeSlots: 3 })
    expect(ids(result.claimed)).toEqual(ids(jobs))
    expect(result.passed).toBe(0)
  })

  test('with their last attempt before them run beside no other of their kind', async () => {
    const [first, , fresh] = [await lastChance(), await lastChance(), await queue.insert()]
    await rescued()
    const workerId = await register()
    const alone = await trip({ workerId, limit: 4, freeSlots: 4 })
    expect(ids(alone.claimed)).toEqual(ids([first, fresh]))
    expect(alone.passed).toBe(2)
    const held = await trip({ workerId, limit: 4, freeSlots: 4, rescuedHeld: 1, lastChanceHeld: true })
    expect(held).toMatchObject({ claimed: [], passed: 2 })
  })

  test('do not hold up what stands behind them', async () => {
    for (let n = 0; n < 3; n++) await lastChance()
    const behind = await queue.insert()
    const held = { workerId: await register(), limit: 1, freeSlots: 1, rescuedHeld: 1, lastChanceHeld: true }
    expect(await trip(held)).toMatchObject({ claimed: [], passed: 1 })
    expect(ids((await trip({ ...held, lookahead: 3 })).claimed)).toEqual([behind.id])
  })

  test('are not claimed ahead of a free slot', async () => {
    await rescued()
    expect((await trip({ workerId: await register(), limit: 5, freeSlots: 0 })).claimed).toEqual([])
  })
})

test('a job that kills its worker three times takes none of the jobs beside it along', async () => {
  const shared = { collectionNodeId: queue.collectionNodeId }
  const poison = await enqueueByType(queue.db, 't_poison', 1, { ...shared, priority: 5 })
  const innocent = await Promise.all([1, 2, 3].map(() => enqueueByType(queue.db, 't_slow', 1, shared)))
  const jobs = [poison, ...innocent].map(({ id }) => id)
  const open = async () => (await Promise.all(jobs.map(queue.job))).filter(({ status }) => !['completed', 'error'].includes(status)).length
  for (let starts = 0; starts < 12 && (await open()) > 0; starts++) {
    const worker = await startProcess(queue.connectionString, { leaseMs: 1_000, pollIntervalMs: 50, maxConcurrent: 3 })
    await Promise.race([worker.ended, Promise.all(jobs.map((id) => waitForJob(queue.db, id, { timeoutMs: 20_000 })))])
    await queue.pool.query('update job_workers set lease_expires_at = clock_timestamp() where dead_at is null')
    worker.signal('SIGKILL')
    await worker.ended
  }
  expect(await queue.job(poison.id)).toMatchObject({ status: 'error', attempts: 3 })
  for (const { id } of innocent) expect(await queue.job(id)).toMatchObject({ status: 'completed' })
}, 60_000)
