import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, type EnqueueOptions, enqueue, enqueueMany } from '../src/index.ts'
import { insertNode } from '../src/testing/index.ts'
import { type Job, useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const inAnHour = new Date(Date.now() + 3_600_000)

type Unique = NonNullable<EnqueueOptions['unique']>
const add = (payload: unknown, unique: Partial<Unique> = {}, options: Partial<EnqueueOptions> = {}) =>
  enqueue(queue.pool, definition, payload, { collectionNodeId: queue.collectionNodeId, unique: { key: 'k', ...unique }, ...options })

/** A row that holds the key in the given state. */
const holder = (status: Job['status'], until: 'claimed' | 'finished' = 'finished', held = true) =>
  queue.insert({
    job_type: 'a_job',
    payload: '"old"',
    status,
    unique_key: 'k',
    unique_until: until,
    unique_held: held,
    scheduled_for: inAnHour,
  })

/** A new payload has all its attempts before it. */
const anew = { status: 'pending', attempts: 0, snoozes: 0, ready: true }

describe('a unique key that is held', () => {
  test.each(['pending', 'retry', 'running'] as const)('keep leaves a %s holder alone', async (status) => {
    const old = await holder(status)
    expect(await add('new', { onConflict: 'keep' })).toEqual({ id: old.id, outcome: 'kept' })
    expect(await queue.job(old.id)).toEqual(old)
  })

  test.each(['pending', 'retry'] as const)('replace gives a %s holder what is new, and leaves its time', async (status) => {
    const old = await holder(status)
    const more = { priority: 7, maxAttempts: 9, correlationId: 'c' }
    expect(await add('new', { onConflict: 'replace' }, more)).toEqual({ id: old.id, outcome: 'replaced' })
    expect(await queue.job(old.id)).toEqual({ ...old, ...anew, payload: 'new', priority: 7, max_attempts: 9, correlation_id: 'c' })
  })

  test.each(['pending', 'retry'] as const)('debounce also starts the time of a %s holder anew', async (status) => {
    const old = await holder(status)
    const later = new Date(inAnHour.getTime() + 1_000)
    expect(await add('new', { onConflict: 'debounce' }, { scheduledFor: later })).toEqual({ id: old.id, outcome: 'replaced' })
    expect(await queue.job(old.id)).toEqual({ ...old, ...anew, payload: 'new', scheduled_for: later })
    await add('newer', { onConflict: 'debounce' })
    expect(await queue.dueInMs(old.id)).toBeLessThanOrEqual(0)
  })

  test('replace forgets what steps made of the old payload', async () => {
    const old = await holder('retry')
    await queue.pool.query(`insert into job_steps (job_id, name, result, run) values ($1, 'read', '"old"', 1)`, [old.id])
    await add('new', { onConflict: 'keep' })
    expect((await queue.pool.query('select from job_steps')).rowCount).toBe(1)
    await add('new', { onConflict: 'replace' })
    expect((await queue.pool.query('select from job_steps')).rowCount).toBe(0)
  })

  test.each(['replace', 'debounce'] as const)('%s leaves a running holder alone', async (onConflict) => {
    const old = await holder('running')
    expect(await add('new', { onConflict }, { priority: 9 })).toEqual({ id: old.id, outcome: 'kept' })
    expect(await queue.job(old.id)).toEqual(old)
  })

  test.each(['completed', 'error', 'cancelled', 'running'] as const)('a %s job that let go of the key is no holder', async (status) => {
    const old = await holder(status, 'claimed', false)
    expect(await add('new', { onConflict: 'replace' })).toMatchObject({ outcome: 'created' })
    expect(await queue.job(old.id)).toEqual(old)
  })

  test("is another type's, another collection's or another text: no conflict", async () => {
    await holder('pending')
    const elsewhere = { collectionNodeId: (await insertNode(queue.db)).id }
    const other = defineJob({ type: 'other_job', payload: z.any() })
    const sameKey = { collectionNodeId: queue.collectionNodeId, unique: { key: 'k' } }
    expect(await add('new', {}, elsewhere)).toMatchObject({ outcome: 'created' })
    expect(await add('new', { key: 'K' })).toMatchObject({ outcome: 'created' })
    expect(await enqueue(queue.pool, other, 'new', sameKey)).toMatchObject({ outcome: 'created' })
  })
})

describe('many at once', () => {
  test('of equal keys in one call the first wins, whatever the others want', async () => {
    const items = (['keep', 'replace', 'debounce'] as const).map((onConflict, n) => ({
      payload: n,
      priority: n,
      unique: { key: 'k', onConflict },
    }))
    const results = await enqueueMany(queue.pool, definition, items, { collectionNodeId: queue.collectionNodeId })
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'kept', 'kept'])
    expect(new Set(results.map(({ id }) => id)).size).toBe(1)
    expect(await queue.job(results[0]?.id ?? '')).toMatchObject({ payload: 0, priority: 0 })
  })

  test('the first of equal keys may replace a holder, the others then find it kept', async () => {
    const old = await holder('pending')
    const items = ['first', 'second'].map((payload) => ({ payload, unique: { key: 'k', onConflict: 'replace' as const } }))
    const results = await enqueueMany(queue.pool, definition, items, { collectionNodeId: queue.collectionNodeId })
    expect(results).toEqual([
      { id: old.id, outcome: 'replaced' },
      { id: old.id, outcome: 'kept' },
    ])
    expect((await queue.job(old.id)).payload).toBe('first')
  })

  test('equal keys of different collections are not equal', async () => {
    const other = (await insertNode(queue.db)).id
    const items = [other, queue.collectionNodeId, other].map((collectionNodeId, n) => ({
      payload: n,
      collectionNodeId,
      unique: { key: 'k' },
    }))
    const results = await enqueueMany(queue.pool, definition, items)
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'kept'])
    expect(results[2]?.id).toBe(results[0]?.id)
  })

  test.each(['keep', 'replace', 'debounce'] as const)('twenty racing for one key with %s: exactly one is created', async (onConflict) => {
    for (let round = 0; round < 5; round++) {
      const results = await Promise.all(Array.from({ length: 20 }, (_, n) => add(n, { onConflict })))
      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
      expect(new Set(results.map(({ id }) => id)).size).toBe(1)
      const { rows } = await queue.pool.query('delete from job_queue returning id')
      expect(rows).toHaveLength(1)
    }
  })

  test('racing with holders that let go: every answer names a job that exists, and one job holds the key at a time', async () => {
    const enqueued = Array.from({ length: 300 }, (_, n) => add(n, { onConflict: n % 2 ? 'replace' : 'keep' }))
    let done = false
    const finishing = (async () => {
      while (!done) await queue.pool.query(`update job_queue set status = 'completed', unique_held = false where unique_held`)
    })()
    const results = await Promise.all(enqueued)
    done = true
    await finishing
    const { rows } = await queue.pool.query('select id from job_queue')
    const existing = new Set(rows.map((row) => row.id))
    expect(results.every(({ id }) => existing.has(id))).toBe(true)
    expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(existing.size)
  })
})
