import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../../src/index.ts'
import { insertJob, insertWorker, travel, waitForJob } from '../../src/testing/index.ts'
import { defineHandler } from '../../src/worker/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs)

describe('travel', () => {
  test('makes due what was scheduled within that time, and keeps what comes later as far behind', async () => {
    const soon = await insertJob(queue.db, { scheduled_for: inHours(1) })
    const later = await insertJob(queue.db, { scheduled_for: inHours(5) })
    await travel(queue.db, { hours: 1, minutes: 30 })
    expect(Math.abs((await queue.dueInMs(soon.id)) + 0.5 * hourMs)).toBeLessThan(60_000)
    expect(Math.abs((await queue.dueInMs(later.id)) - 3.5 * hourMs)).toBeLessThan(60_000)
    expect((await queue.job(later.id)).created_at.getTime()).toBe(later.created_at.getTime() - 1.5 * hourMs)
  })

  test('lets ended jobs, their history and their steps grow older, by the same', async () => {
    const { id, ...before } = await insertJob(queue.db, { status: 'error', attempts: 1 })
    const [attempt] = await queue.attempts(id)
    await queue.pool.query(`insert into job_steps (job_id, name, result, run, created_at) values ($1, 's', '1', 1, $2)`, [
      id,
      before.created_at,
    ])
    await travel(queue.db, { days: 2 })
    const moved = (time: Date | null | undefined) => new Date((time?.getTime() ?? 0) - 48 * hourMs)
    expect(await queue.job(id)).toEqual({
      ...{ ...before, id, created_at: moved(before.created_at), scheduled_for: moved(before.scheduled_for) },
      ...{ started_at: moved(before.started_at), completed_at: moved(before.completed_at) },
    })
    expect(await queue.attempts(id)).toEqual([{ ...attempt, started_at: moved(attempt?.started_at), ended_at: moved(attempt?.ended_at) }])
    const steps = await queue.pool.query('select created_at from job_steps')
    expect(steps.rows).toEqual([{ created_at: moved(before.created_at) }])
  })

  test('leaves running jobs and workers where they are', async () => {
    const running = await insertJob(queue.db, { status: 'running' })
    await insertWorker(queue.db)
    const workers = async () => (await queue.pool.query('select * from job_workers order by id')).rows
    const before = await workers()
    await travel(queue.db, { days: 365 })
    expect(await queue.job(running.id)).toEqual(running)
    expect(await workers()).toEqual(before)
  })

  test('wakes a worker that sleeps, and lets it try again after a backoff', async () => {
    let runs = 0
    const handler = defineHandler(definition, async () => {
      if (++runs === 1) throw new Error('the first time it fails')
    })
    await queue.startWorker([handler], { pollIntervalMs: 600_000 })
    const { id } = await enqueue(queue.db, definition, {}, { collectionNodeId: queue.collectionNodeId })
    await waitForJob(queue.db, id, { status: 'retry' })
    await queue.untilAsleep()
    await travel(queue.pool, { seconds: 20 })
    expect(await queue.job(id)).toMatchObject({ status: 'retry', run: 1 })
    await travel(queue.pool, { seconds: 14 })
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 2 })
  })

  test('refuses what is no time ahead, and moves nothing then', async () => {
    const job = await insertJob(queue.db)
    for (const wrong of [{ hours: -1 }, { weeks: 1 }, 5]) {
      await expect(travel(queue.db, wrong as never)).rejects.toMatchObject({ code: 'TEST_OPTION_INVALID' })
    }
    expect(await queue.job(job.id)).toEqual(job)
  })
})
