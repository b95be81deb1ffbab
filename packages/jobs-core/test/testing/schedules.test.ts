import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { getSchedule, upsertSchedule } from '../../src/admin/index.ts'
import { defineJob } from '../../src/index.ts'
import { clearQueue, drain, travel } from '../../src/testing/index.ts'
import { defineHandler } from '../../src/worker/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const report = defineJob({ type: 'report', payload: z.any() })
const handler = defineHandler(report, async ({ job }) => ({ result: { tick: job.correlationId } }))
const key = () => ({ collectionNodeId: queue.collectionNodeId, name: 'hourly' })
const make = (change: object = {}) =>
  upsertSchedule(queue.db, { ...key(), job: report, payload: {}, everySeconds: 3_600, ...change }, 'all')
const outcomes = (runs: { outcome: string }[]) => runs.map(({ outcome }) => outcome)

describe('schedules in tests', () => {
  test('drain enqueues what is due of them, and runs it', async () => {
    await make()
    const runs = await drain(queue.database, [handler])
    expect(runs).toMatchObject([{ type: 'report', outcome: 'completed', job: { result: { tick: expect.stringMatching(/^hourly@2/) } } }])
    expect(await drain(queue.database, [handler])).toEqual([])
  })

  test('travel makes the ticks within that time due', async () => {
    await make()
    await drain(queue.database, [handler])
    await travel(queue.db, { minutes: 59 })
    expect(await drain(queue.database, [handler])).toEqual([])
    await travel(queue.db, { minutes: 1 })
    expect(outcomes(await drain(queue.database, [handler]))).toEqual(['completed'])
    await travel(queue.db, { hours: 30 })
    expect(outcomes(await drain(queue.database, [handler]))).toEqual(['completed'])
  })

  test('travel leaves the interval as regular as it was, and all makes up for every tick', async () => {
    await make({ misfire: 'all' })
    await drain(queue.database, [handler])
    await travel(queue.db, { hours: 5, minutes: 30 })
    const runs = await drain(queue.database, [handler])
    expect(runs).toHaveLength(5)
    expect(new Set(runs.map(({ job }) => job?.correlation_id)).size).toBe(5)
    const { next_at } = await getSchedule(queue.db, key(), 'all')
    const { rows } = await queue.pool.query('select extract(epoch from $1 - clock_timestamp())::int as s', [next_at])
    expect(Math.abs(rows[0].s - 1_800)).toBeLessThan(60)
  })

  test('travel makes a time of day due, once for each time', async () => {
    await make({ everySeconds: undefined, cron: '0 3 * * *', timeZone: 'Europe/Oslo' })
    await drain(queue.database, [handler])
    for (let day = 0; day < 2; day++) {
      await travel(queue.db, { days: 1 })
      expect(await drain(queue.database, [handler])).toHaveLength(1)
    }
  })

  test('drain withScheduled moves the clock to ticks when it is told how far, and else does not', async () => {
    await make()
    expect(await drain(queue.database, [handler], { withScheduled: true })).toHaveLength(1)
    expect(await drain(queue.database, [handler], { withScheduled: { hours: 3, minutes: 1 } })).toHaveLength(3)
  })

  test('a schedule of a type without a handler is ticked, its job left alone', async () => {
    await make({ job: 'unknown_type' })
    expect(await drain(queue.database, [handler], { withScheduled: { hours: 3 } })).toEqual([])
    const { rows } = await queue.pool.query('select job_type, status from job_queue')
    expect(rows).toEqual([{ job_type: 'unknown_type', status: 'pending' }])
  })

  test('clearQueue removes them', async () => {
    await make()
    await clearQueue(queue.db)
    expect((await queue.pool.query('select from job_schedules')).rows).toEqual([])
  })
})
