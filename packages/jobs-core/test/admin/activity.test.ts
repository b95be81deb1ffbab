import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readActivity, readDurations } from '../../src/admin/index.ts'
import { defineJob, enqueue, PermanentError } from '../../src/index.ts'
import { addActivity } from '../../src/queue/add-activity.ts'
import { forgetActivity } from '../../src/queue/forget-activity.ts'
import { insertNode, insertWorker } from '../../src/testing/index.ts'
import { defineHandler } from '../../src/worker/index.ts'
import { holdTransaction } from '../support/hold-lock.ts'
import { useQueue } from '../support/use-queue.ts'
import { useStatements } from '../support/use-statements.ts'

const queue = useQueue()
const statements = useStatements(queue)
const definition = defineJob({ type: 'a_job', payload: z.enum(['works', 'fails', 'never']) })
const handler = defineHandler(definition, async ({ payload }) => {
  if (payload === 'fails') throw new Error('no')
  if (payload === 'never') throw new PermanentError('NEVER', 'never')
})
const counted = { jobType: 'a_job', completed: 1, failed: 0, retried: 0, wait: new Map([[4, 1]]), run: new Map([[8, 1]]) }
const mine = () => ({ ...counted, collectionNodeId: queue.collectionNodeId })
const totals = async (span: 'minute' | 'hour' = 'hour') =>
  (await readActivity(queue.db, 'all', span)).types.map(({ type, ...series }) => ({
    type,
    ...Object.fromEntries(Object.entries(series).map(([name, numbers]) => [name, numbers.reduce((sum, n) => sum + n, 0)])),
  }))

describe('what ended', () => {
  test('is what workers counted, said at the latest when they stop', async () => {
    const worker = await queue.startWorker([handler])
    for (const payload of ['works', 'works', 'never', 'fails'] as const) {
      await enqueue(queue.db, definition, payload, { collectionNodeId: queue.collectionNodeId })
    }
    await queue.event('job.failed', ({ final }) => final)
    await queue.event('job.failed', ({ final }) => !final)
    while (queue.named('job.completed').length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
    await worker.stop()
    const ended = { type: 'a_job', completed: 2, failed: 1, retried: 1 }
    expect(await totals('hour')).toEqual([ended])
    expect(await totals('minute')).toEqual([ended])
    expect((await readDurations(queue.db, 'all')).types).toMatchObject([{ type: 'a_job', wait: { jobs: 4 }, run: { jobs: 2 } }])
  })

  test('counts jobs that failed with their worker', async () => {
    const dead = await insertWorker(queue.db, { lease_expires_at: new Date('2026-01-01') })
    await queue.insert({ status: 'running', worker_id: dead.id, claim: '1', run: 1, attempts: 3, max_attempts: 3 })
    const worker = await queue.startWorker([handler])
    await queue.event('jobs.rescued')
    await worker.stop()
    expect(await totals()).toEqual([{ type: 'test_job', completed: 0, failed: 1, retried: 0 }])
  })

  test('is of the scope', async () => {
    const other = (await insertNode(queue.db)).id
    await addActivity(statements.connection, [mine(), { ...mine(), collectionNodeId: other, jobType: 'their_job' }])
    const types = async (scope: Parameters<typeof readActivity>[1]) => [
      (await readActivity(queue.db, scope, 'minute')).types.map(({ type }) => type),
      (await readDurations(queue.db, scope)).types.map(({ type }) => type),
    ]
    expect(await types('all')).toEqual([
      ['a_job', 'their_job'],
      ['a_job', 'their_job'],
    ])
    expect(await types({ collectionNodeIds: [other] })).toEqual([['their_job'], ['their_job']])
    expect(await types({ collectionNodeIds: [] })).toEqual([[], []])
  })

  test('has its place in time: 30 minutes and 24 hours, the last of them going on', async () => {
    await addActivity(statements.connection, [mine()])
    await queue.pool.query(`update job_activity set starts_at = starts_at - interval '3 minutes' where span = 'minute'`)
    await addActivity(statements.connection, [mine()])
    const minutes = await readActivity(queue.db, 'all', 'minute')
    // A minute may have begun in between.
    expect(minutes.types[0]?.completed.slice(-6).join('')).toMatch(/1001$|10001$|10010$/)
    expect(minutes.startsAt).toHaveLength(30)
    const hours = await readActivity(queue.db, 'all', 'hour')
    expect(hours.startsAt).toHaveLength(24)
    const { rows } = await queue.pool.query<{ now: Date }>('select now()')
    expect((rows[0]?.now.getTime() ?? 0) - (hours.startsAt.at(-1)?.getTime() ?? 0)).toBeLessThan(2 * 3_600_000)
  })

  test('is nothing where nothing ended', async () => {
    expect(await readActivity(queue.db, 'all', 'minute')).toMatchObject({ types: [], others: null })
    expect(await readDurations(queue.db, 'all')).toEqual({ types: [], others: null })
  })

  test('is told of the hundred busiest types, and of all others together', async () => {
    const of = (n: number) => ({ ...mine(), jobType: `type_${String(n).padStart(3, '0')}`, completed: n < 20 ? 1 : 2, failed: 1 })
    await addActivity(
      statements.connection,
      Array.from({ length: 120 }, (_, n) => of(n)),
    )
    const { types, others } = await readActivity(queue.db, 'all', 'hour')
    expect([types.length, types[0]?.type, others?.types]).toEqual([100, 'type_020', 20])
    const total = (numbers: readonly number[] = []) => numbers.reduce((sum, n) => sum + n, 0)
    expect([total(others?.completed), total(others?.failed), total(others?.retried)]).toEqual([20, 20, 0])
    expect(total(types.flatMap(({ completed }) => completed))).toBe(200)
    // The same types, whatever their own numbers.
    const first = ['type_000', ...types.slice(1).map(({ type }) => type)]
    const durations = await readDurations(queue.db, 'all', { first })
    expect(durations.types.map(({ type }) => type)).toEqual(first)
    expect(durations.others).toMatchObject({ types: 20, wait: { jobs: 20 }, run: { jobs: 20 } })
    const ofOne = await readDurations(queue.db, 'all', { first: ['type_119'] })
    expect([ofOne.types.length, ofOne.types.at(-1)?.type, ofOne.others?.types]).toEqual([100, 'type_119', 20])
  })
})

describe('adding', () => {
  test('by many at once loses nothing and deadlocks never', async () => {
    const collections = [queue.collectionNodeId, ...(await Promise.all([1, 2, 3].map(async () => (await insertNode(queue.db)).id)))]
    const add = (turn: number) => {
      const some = collections.map((collectionNodeId) => ({ ...mine(), collectionNodeId }))
      return addActivity(statements.connection, turn % 2 ? some : some.toReversed())
    }
    await Promise.all(Array.from({ length: 40 }, (_, turn) => add(turn)))
    expect(await totals()).toMatchObject([{ completed: 160 }])
    expect((await readDurations(queue.db, 'all')).types).toMatchObject([{ wait: { jobs: 160 }, run: { jobs: 160 } }])
  })

  test('leaves out collections that are gone, and stops at the largest number', async () => {
    const gone = (await insertNode(queue.db)).id
    await addActivity(statements.connection, [{ ...mine(), completed: 2_147_483_647, wait: new Map([[4, 2_147_483_647]]) }])
    await queue.pool.query('delete from nodes where id = $1', [gone])
    await addActivity(statements.connection, [{ ...mine(), collectionNodeId: gone }, mine()])
    expect(await totals()).toMatchObject([{ completed: 2_147_483_647 }])
  })

  test('that somebody blocks holds up neither a job nor the stop', async () => {
    const worker = await queue.startWorker([handler])
    const lock = await holdTransaction(queue.pool, 'lock table job_activity in access exclusive mode')
    await enqueue(queue.db, definition, 'works', { collectionNodeId: queue.collectionNodeId })
    await queue.event('job.completed')
    await worker.stop()
    expect(await queue.pool.query('select from job_workers')).toMatchObject({ rowCount: 0 })
    await lock.rollback()
  })
})

test('what is no longer drawn is forgotten, in bounded batches', async () => {
  await queue.pool.query(
    `insert into job_activity (collection_node_id, span, starts_at, job_type, completed)
     select $1, s.span, now() - n * s.step, 'a_job', 1 from (values ('minute', interval '1 minute'), ('hour', interval '1 hour')) s (span, step), generate_series(0, 6000) n`,
    [queue.collectionNodeId],
  )
  await addActivity(statements.connection, [mine()])
  expect(await forgetActivity(statements.connection)).toBe(10_000)
  expect(await forgetActivity(statements.connection)).toBeGreaterThan(1_000)
  expect(await forgetActivity(statements.connection)).toBe(0)
  const { rows } = await queue.pool.query('select span, count(*)::int as rows from job_activity group by 1 order by 1')
  expect(rows).toEqual([
    { span: 'hour', rows: expect.any(Number) },
    { span: 'minute', rows: expect.any(Number) },
  ])
  expect(rows[0].rows).toBeGreaterThan(190)
  expect(rows[0].rows).toBeLessThan(195)
  expect(rows[1].rows).toBeGreaterThan(118)
  expect(rows[1].rows).toBeLessThan(123)
  expect((await readDurations(queue.db, 'all')).types).toHaveLength(1)
})
