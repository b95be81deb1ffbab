import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue, SnoozeError, TransientError } from '../../src/index.ts'
import { drain, insertJob } from '../../src/testing/index.ts'
import { defineHandler } from '../../src/worker/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const minutes = (n: number) => new Date(Date.now() + n * 60_000)
const definition = defineJob({ type: 'a_job', payload: z.any(), maxAttempts: 3 })
const add = (payload: unknown, scheduledFor?: Date) =>
  enqueue(queue.db, definition, payload, { collectionNodeId: queue.collectionNodeId, scheduledFor })
const done = defineHandler(definition, async () => {})

describe('drain with what is scheduled ahead', () => {
  test('runs all attempts of a job, through its backoff', async () => {
    const { id } = await add(1)
    const runs = await drain(queue.db, [defineHandler(definition, () => Promise.reject(new Error('always')))], { withScheduled: true })
    expect(runs.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'retry'],
      [2, 'retry'],
      [3, 'error'],
    ])
    expect(await queue.attempts(id)).toHaveLength(3)
  })

  test('in the order of time, retries among the others', async () => {
    const order: unknown[] = []
    const handler = defineHandler(definition, async ({ payload, job }) => {
      order.push(`${payload} ${job.attempt}`)
      if (payload === 'fails') throw new TransientError('BUSY', 'busy', { retryAfterMs: 300_000 })
    })
    await add('in ten minutes', minutes(10))
    await add('fails')
    await add('in a minute', minutes(1))
    await drain(queue.db, [handler], { withScheduled: true })
    expect(order).toEqual(['fails 1', 'in a minute 1', 'fails 2', 'in ten minutes 1', 'fails 3'])
  })

  test('only within a length of time; the clock stands that much later then', async () => {
    await add('soon', minutes(10))
    const later = await add('later', minutes(90))
    const old = await insertJob(queue.db, { status: 'completed' })
    expect(await drain(queue.db, [done], { withScheduled: { hours: 1 } })).toHaveLength(1)
    expect(Math.abs((await queue.dueInMs(later.id)) - 30 * 60_000)).toBeLessThan(30_000)
    expect((await queue.job(old.id)).created_at.getTime()).toBeLessThan(old.created_at.getTime() - 59 * 60_000)
    expect(await drain(queue.db, [done], { withScheduled: { minutes: 31 } })).toHaveLength(1)
  })

  test('of a job that schedules itself anew, as often as there is time for', async () => {
    const hourly = defineHandler(definition, async ({ job }) => ({
      write: async (trx) => {
        const options = { collectionNodeId: job.collectionNodeId, scheduledFor: new Date(Date.now() + 3_600_000) }
        await enqueue(trx, definition, 1, options)
      },
    }))
    await add(1)
    expect(await drain(queue.db, [hourly], { withScheduled: { hours: 4, minutes: 30 } })).toHaveLength(5)
    await expect(drain(queue.db, [hourly], { withScheduled: true, maxRuns: 20 })).rejects.toThrow(/after 20 runs, and 0 jobs are due/)
  })

  test('of a job that is snoozed until it is not', async () => {
    const handler = defineHandler(definition, async ({ job }) => {
      if (job.run < 4) throw new SnoozeError(3_600_000, 'the archive is closed')
    })
    await add(1)
    const runs = await drain(queue.db, [handler], { withScheduled: true })
    expect(runs.map(({ outcome, attempt, run }) => [outcome, attempt, run])).toEqual([
      ['snoozed', 1, 1],
      ['snoozed', 1, 2],
      ['snoozed', 1, 3],
      ['completed', 1, 4],
    ])
  })

  test('leaves types without a handler, and what never comes, and moves no clock for them', async () => {
    await insertJob(queue.db, { job_type: 'unknown', scheduled_for: minutes(10) })
    await insertJob(queue.db, { job_type: 'a_job', scheduled_for: 'infinity' })
    const jobs = async () => (await queue.pool.query('select *, scheduled_for::text from job_queue order by id')).rows
    const before = await jobs()
    expect(await drain(queue.db, [done], { withScheduled: true })).toEqual([])
    expect(await jobs()).toEqual(before)
  })
})
