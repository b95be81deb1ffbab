import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cancelJob, getJob, retryJob, type Scope } from '../src/admin/index.ts'
import { defineJob, enqueue, enqueueMany } from '../src/index.ts'
import { insertNode, waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { holdTransaction } from './support/hold-lock.ts'
import { type Job, useQueue } from './support/use-queue.ts'

const queue = useQueue()
const mine = (): Scope => ({ collectionNodeIds: [queue.collectionNodeId, randomUUID()] })
const others: Scope = { collectionNodeIds: ['01900000-0000-7000-8000-000000000001'] }
const nobodys: Scope = { collectionNodeIds: [] }
const strange = [
  '',
  'not-a-uuid',
  "'; drop table job_queue; --",
  '\0',
  '{01900000-0000-7000-8000-000000000001}',
  undefined as never,
  7 as never,
]

describe('getJob', () => {
  test('reads a job of the scope, and no other', async () => {
    const job = await queue.insert()
    for (const scope of ['all' as const, mine()]) expect(await getJob(queue.db, job.id, scope)).toEqual(job)
    for (const scope of [others, nobodys]) {
      await expect(getJob(queue.db, job.id, scope)).rejects.toMatchObject({ name: 'JobNotFoundError', code: 'JOB_NOT_FOUND' })
    }
    const elsewhere = await queue.insert({ collection_node_id: (await insertNode(queue.db)).id })
    await expect(getJob(queue.db, elsewhere.id, mine())).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  })
})

describe('an id or a scope that is none', () => {
  test.each(strange)('is no job, and leaves the transaction usable: %j', async (id) => {
    await queue.db.transaction().execute(async (trx) => {
      for (const act of [getJob, cancelJob, retryJob]) {
        await expect(act(trx, id, 'all')).rejects.toMatchObject({ kind: 'queue', code: 'JOB_NOT_FOUND' })
      }
      await trx.selectFrom('job_queue').select('id').execute()
    })
  })

  test.each([undefined, null, 'ALL', {}, { collectionNodeIds: 'all' }, { collectionNodeIds: ['x'] }, []])(
    'never means everybody: %j',
    async (scope) => {
      const { id } = await queue.insert({ status: 'error' })
      for (const act of [getJob, cancelJob, retryJob]) {
        await expect(act(queue.db, id, scope as never)).rejects.toMatchObject({ kind: 'permanent', code: 'SCOPE_INVALID' })
      }
    },
  )
})

describe('retryJob', () => {
  test.each(['error', 'cancelled', 'retry'] as const)('makes a job that is %s due now, with all its attempts before it', async (status) => {
    const { id } = await queue.insert({
      ...{ status, attempts: 3, run: 5, snoozes: 7, error_msg: 'why', scheduled_for: new Date(Date.now() + 3_600_000) },
      ...{ completed_at: status === 'retry' ? null : new Date(), unique_key: 'k', unique_until: 'claimed' as const },
    })
    await retryJob(queue.db, id, mine())
    expect(await queue.job(id)).toMatchObject({
      ...{ status: 'pending', attempts: 0, run: 5, snoozes: 0, completed_at: null, unique_held: true, error_msg: 'why', ready: true },
    })
    expect(await queue.dueInMs(id)).toBeLessThanOrEqual(0)
    expect(await queue.attempts(id)).toMatchObject([{ end_reason: 'retried_by_admin', run: 5, attempt: 3 }])
  })

  test.each(['pending', 'running', 'completed'] as const)('refuses a job that is %s, and changes nothing', async (status) => {
    const job = await queue.insert({ status })
    await expect(retryJob(queue.db, job.id, 'all')).rejects.toMatchObject({
      ...{ name: 'JobStateError', code: 'JOB_NOT_RETRYABLE', message: expect.stringContaining(`is ${status}`) },
    })
    expect(await queue.job(job.id)).toEqual(job)
    expect(await queue.attempts(job.id)).toEqual([])
  })

  test('refuses a job whose unique key another one holds by now', async () => {
    const key = { unique_key: 'k', unique_until: 'finished' as const }
    const old = await queue.insert({ ...key, status: 'error' })
    await queue.insert({ ...key, unique_held: true })
    await expect(retryJob(queue.db, old.id, 'all')).rejects.toMatchObject({ name: 'JobStateError', code: 'UNIQUE_KEY_TAKEN' })
    expect(await queue.job(old.id)).toEqual(old)
  })

  test('keeps what durable steps stored, unless asked to run anew', async () => {
    const { id } = await queue.insert({ status: 'error' })
    const step = () => queue.pool.query(`insert into job_steps (job_id, name, result, run) values ($1, 's', '1', 1)`, [id])
    const steps = async () => (await queue.pool.query('select from job_steps where job_id = $1', [id])).rows.length
    await step()
    await retryJob(queue.db, id, 'all')
    expect(await steps()).toBe(1)
    await queue.pool.query(`update job_queue set status = 'error' where id = $1`, [id])
    await retryJob(queue.db, id, 'all', { fresh: true })
    expect(await steps()).toBe(0)
  })

  test('of a job outside the scope finds none, whatever its state', async () => {
    const job = await queue.insert({ status: 'error' })
    for (const scope of [others, nobodys]) await expect(retryJob(queue.db, job.id, scope)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    expect(await queue.job(job.id)).toEqual(job)
  })

  test('twice at once does it once', async () => {
    const { id } = await queue.insert({ status: 'error' })
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => retryJob(queue.db, id, 'all')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await queue.attempts(id)).toHaveLength(1)
  })
})

describe('cancelJob', () => {
  test.each(['pending', 'retry'] as const)('cancels a job that is %s at once', async (status) => {
    const { id } = await queue.insert({ status, unique_key: 'k', unique_until: 'finished', unique_held: true })
    expect(await cancelJob(queue.db, id, mine())).toBe('cancelled')
    expect(await queue.job(id)).toMatchObject({
      status: 'cancelled',
      unique_held: false,
      completed_at: expect.any(Date),
      error_msg: 'Cancelled on request.',
    })
  })

  test('asks a running job to stop, once', async () => {
    const { id } = await queue.insert({ status: 'running' })
    expect(await cancelJob(queue.db, id, mine())).toBe('requested')
    const asked = await queue.job(id)
    expect(asked).toMatchObject({ status: 'running', cancel_requested_at: expect.any(Date) })
    expect(await cancelJob(queue.pool, id, 'all')).toBe('requested')
    expect(await queue.job(id)).toEqual(asked)
  })

  test.each(['completed', 'error', 'cancelled'] as const)('refuses a job that is %s', async (status) => {
    const job = await queue.insert({ status })
    await expect(cancelJob(queue.db, job.id, 'all')).rejects.toMatchObject({ name: 'JobStateError', code: 'JOB_NOT_CANCELLABLE' })
    expect(await queue.job(job.id)).toEqual(job)
  })

  test('of a job outside the scope finds none', async () => {
    const job = await queue.insert()
    for (const scope of [others, nobodys]) await expect(cancelJob(queue.db, job.id, scope)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    expect(await queue.job(job.id)).toEqual(job)
  })

  test.each(['commit', 'rollback'] as const)('waits for a claim that is under way: after its %s the answer fits', async (end) => {
    const { id } = await queue.insert()
    const claim = await holdTransaction(queue.pool, `update job_queue set status = 'running', run = 1, attempts = 1 where id = $1`, [id])
    const cancelling = cancelJob(queue.db, id, 'all')
    await claim[end]()
    expect(await cancelling).toBe(end === 'commit' ? 'requested' : 'cancelled')
    expect((await queue.job(id)).status).toBe(end === 'commit' ? 'running' : 'cancelled')
  })

  test('of many jobs while workers run them: each ends in one way, and the answer fits it', async () => {
    const definition = defineJob({ type: 'a_job', payload: z.any() })
    const obeys = defineHandler(definition, async ({ signal }) => {
      for (let n = 0; n < 5; n++) {
        await new Promise((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
      }
    })
    const jobs = await enqueueMany(queue.db, definition, Array(300).fill({ payload: 1 }), { collectionNodeId: queue.collectionNodeId })
    for (let n = 0; n < 3; n++) await queue.startWorker([obeys], { pollIntervalMs: 10 })
    const answers = await Promise.all(jobs.map(({ id }) => cancelJob(queue.db, id, 'all').catch((error) => error.code)))
    const ended = await Promise.all(jobs.map(({ id }) => waitForJob(queue.db, id)))
    const started = new Set(queue.named('job.started').map((event) => event.jobId))
    const fits: Record<string, (job: Job) => boolean> = {
      cancelled: (job) => job.status === 'cancelled' && !started.has(job.id),
      requested: (job) => job.status === 'completed' || job.status === 'cancelled',
      JOB_NOT_CANCELLABLE: (job) => job.status === 'completed' && started.has(job.id),
      JOB_LOCKED: (job) => job.status === 'completed',
    }
    expect(ended.filter((job, index) => !fits[answers[index]]?.(job))).toEqual([])
    expect(ended.every((job) => job.attempts <= 1 && job.cancel_requested_at === null)).toBe(true)
  })

  test('of a job that waits again after its run counts for that too', async () => {
    const definition = defineJob({ type: 'a_job', payload: z.any() })
    await queue.startWorker(
      [defineHandler(definition, ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)))],
      {
        pollIntervalMs: 20,
      },
    )
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
    await queue.event('job.started')
    await cancelJob(queue.db, id, 'all')
    expect((await waitForJob(queue.db, id)).status).toBe('cancelled')
    await retryJob(queue.db, id, 'all')
    await queue.event('job.started', (event) => event.run === 2)
    expect((await queue.job(id)).cancel_requested_at).toBeNull()
    await cancelJob(queue.db, id, 'all')
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'cancelled', run: 2 })
  })
})
