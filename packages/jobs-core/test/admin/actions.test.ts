import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  abortBulk,
  cancelJob,
  getBulk,
  listAttempts,
  listAudit,
  noteAction,
  pauseJobs,
  previewBulk,
  resumeJobs,
  retryJob,
  runBulk,
} from '../../src/admin/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const audit = () => listAudit(queue.db, 'all', { limit: 200 })

describe('the audit', () => {
  test('has a row for each action, applied or refused, with who, why and from what to what', async () => {
    const { id } = await queue.insert({ status: 'error', run: 4 })
    await retryJob(queue.db, id, 'all', { by: 'kari', reason: 'the gateway is back' })
    await retryJob(queue.db, id, 'all').catch(() => {})
    await cancelJob(queue.db, id, 'all', { by: 'ola' })
    const missing = randomUUID()
    await cancelJob(queue.db, missing, 'all').catch(() => {})
    expect(await audit()).toMatchObject([
      { action: 'cancel', outcome: 'refused', code: 'JOB_NOT_FOUND', jobId: missing, collectionNodeId: null, actor: null },
      { action: 'cancel', outcome: 'applied', actor: 'ola', statusBefore: 'pending', statusAfter: 'cancelled' },
      { action: 'retry', outcome: 'refused', code: 'JOB_NOT_RETRYABLE', statusBefore: 'pending', statusAfter: 'pending' },
      {
        ...{ action: 'retry', outcome: 'applied', code: null, actor: 'kari', reason: 'the gateway is back', jobId: id, run: 4 },
        ...{ jobType: 'test_job', collectionNodeId: queue.collectionNodeId, statusBefore: 'error', statusAfter: 'pending' },
      },
    ])
  })

  test('commits with the action, or not at all', async () => {
    const { id } = await queue.insert({ status: 'error' })
    await queue.db
      .transaction()
      .execute(async (trx) => {
        await retryJob(trx, id, 'all')
        throw new Error('after all not')
      })
      .catch(() => {})
    expect((await queue.job(id)).status).toBe('error')
    expect(await audit()).toEqual([])
  })

  test('outlives the job, and tells a scope of its own collections only', async () => {
    const { id } = await queue.insert({ status: 'error' })
    await retryJob(queue.db, id, 'all')
    await queue.pool.query('delete from job_queue where id = $1', [id])
    expect(await listAudit(queue.db, { collectionNodeIds: [queue.collectionNodeId] }, { jobId: id })).toHaveLength(1)
    expect(await listAudit(queue.db, { collectionNodeIds: [randomUUID()] })).toEqual([])
    expect(await listAudit(queue.db, { collectionNodeIds: [] })).toEqual([])
  })

  test('tells pauses and their ends, and that nothing changed', async () => {
    await pauseJobs(queue.db, { type: 'a_job' }, 'all', { by: 'kari', reason: 'new model' })
    await pauseJobs(queue.db, { type: 'a_job' }, 'all', { by: 'ola' })
    await resumeJobs(queue.db, { type: 'a_job' }, 'all', { by: 'ola' })
    await resumeJobs(queue.db, { type: 'a_job' }, 'all')
    expect((await audit()).map(({ action, outcome, actor }) => [action, outcome, actor])).toEqual([
      ['resume', 'unchanged', null],
      ['resume', 'applied', 'ola'],
      ['pause', 'unchanged', 'ola'],
      ['pause', 'applied', 'kari'],
    ])
  })

  test('takes from outside what was looked at or refused, and nothing that would have changed something', async () => {
    const { id } = await queue.insert()
    expect(await noteAction(queue.db, { action: 'read_raw', jobId: id })).toBe(true)
    expect(await noteAction(queue.db, { action: 'read_raw', jobId: randomUUID() })).toBe(false)
    await noteAction(queue.db, { action: 'pause', refused: 'PAUSE_OUT_OF_SCOPE', type: 'a_job' })
    await expect(noteAction(queue.db, { action: 'retry', jobId: id })).rejects.toMatchObject({ code: '22023' })
    expect((await audit()).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['pause', 'refused'],
      ['read_raw', 'applied'],
    ])
  })

  test('of 20 people who click ten times each on one job: one applied, all others refused', async () => {
    const { id } = await queue.insert({ status: 'error' })
    const clicks = Array.from({ length: 200 }, () =>
      retryJob(queue.db, id, 'all').then(
        () => 'applied',
        (error) => error.code,
      ),
    )
    const answers = await Promise.all(clicks)
    expect(answers.filter((answer) => answer === 'applied')).toHaveLength(1)
    expect(answers.every((answer) => answer === 'applied' || answer === 'JOB_NOT_RETRYABLE')).toBe(true)
    const { rows } = await queue.pool.query(`select outcome, count(*)::int as n from job_audit group by 1 order by 1`)
    expect(rows).toEqual([
      { outcome: 'applied', n: 1 },
      { outcome: 'refused', n: 199 },
    ])
    expect(await listAttempts(queue.db, id, 'all')).toMatchObject([{ end: 'retried_by_admin' }])
    expect(await listAttempts(queue.db, id, { collectionNodeIds: [] })).toEqual([])
  })
})

describe('a bulk action', () => {
  test('does what its preview showed, counts what has changed since, and gives the same receipt for ever', async () => {
    const jobs = []
    for (let n = 0; n < 250; n++) jobs.push(await queue.insert({ status: 'error', priority: 10 }))
    await queue.insert({ status: 'completed' })
    const preview = await previewBulk(queue.db, 'all', { action: 'retry', filter: { type: 'test_job' }, by: 'kari', reason: 'outage over' })
    expect(preview).toMatchObject({ jobs: 250, more: false, done: 0, startedAt: null, actor: 'kari' })
    await queue.pool.query(`update job_queue set status = 'completed' where id = any($1)`, [jobs.slice(0, 12).map(({ id }) => id)])
    const late = await queue.insert({ status: 'error' })
    let receipt = preview
    for (let n = 0; n < 3; n++) receipt = await runBulk(queue.db, preview.id)
    expect(receipt).toMatchObject({ done: 250, outcomes: { applied: 238, JOB_NOT_RETRYABLE: 12 }, finishedAt: expect.any(Date) })
    expect(await runBulk(queue.db, preview.id)).toEqual(receipt)
    expect(await getBulk(queue.db, preview.id)).toEqual(receipt)
    expect((await queue.job(late.id)).status).toBe('error')
    const { rows } = await queue.pool.query(
      `select count(*)::int as jobs, max(priority) as priority, count(distinct scheduled_for) > 200 as spread,
         max(scheduled_for) < clock_timestamp() + interval '13 seconds' as soon from job_queue where status = 'pending'`,
    )
    expect(rows).toEqual([{ jobs: 238, priority: 1, spread: true, soon: true }])
    expect(await listAudit(queue.db, 'all', { bulkId: preview.id, limit: 200 })).toHaveLength(200)
  })

  test('run from two places at once does nothing twice', async () => {
    for (let n = 0; n < 150; n++) await queue.insert({ status: 'pending' })
    const { id } = await previewBulk(queue.db, 'all', { action: 'cancel', filter: {} })
    await Promise.all(Array.from({ length: 6 }, () => runBulk(queue.pool, id)))
    expect(await getBulk(queue.db, id)).toMatchObject({ done: 150, outcomes: { applied: 150 } })
    expect((await queue.pool.query('select from job_audit')).rows).toHaveLength(150)
  })

  test('can be stopped between two pieces, and a preview grows old', async () => {
    for (let n = 0; n < 150; n++) await queue.insert({ status: 'error' })
    const { id } = await previewBulk(queue.db, 'all', { action: 'retry', filter: { status: 'error' } })
    await runBulk(queue.db, id)
    expect(await abortBulk(queue.db, id)).toMatchObject({ done: 100, abortedAt: expect.any(Date) })
    expect(await runBulk(queue.db, id)).toMatchObject({ done: 100 })
    const old = await previewBulk(queue.db, 'all', { action: 'retry', jobIds: [randomUUID()] })
    await queue.pool.query(`update job_bulk_actions set expires_at = now() - interval '1 second' where id = $1`, [old.id])
    await expect(runBulk(queue.db, old.id)).rejects.toMatchObject({ code: 'BULK_EXPIRED' })
    await expect(getBulk(queue.db, randomUUID())).rejects.toMatchObject({ code: 'BULK_NOT_FOUND' })
    for (const act of [runBulk, abortBulk, getBulk]) await expect(act(queue.db, 'x')).rejects.toMatchObject({ code: 'BULK_NOT_FOUND' })
  })

  test.each([
    [{ action: 'delete', filter: {} }, 'BULK_INVALID'],
    [{ action: 'retry' }, 'BULK_INVALID'],
    [{ action: 'retry', filter: {}, jobIds: [randomUUID()] }, 'BULK_INVALID'],
    [{ action: 'retry', jobIds: [] }, 'BULK_INVALID'],
    [{ action: 'retry', jobIds: ['x'] }, 'BULK_INVALID'],
    [{ action: 'retry', jobIds: Array(1001).fill(randomUUID()) }, 'BULK_INVALID'],
    [{ action: 'retry', filter: { status: 'done' } }, 'LIST_STATUS'],
    [{ action: 'retry', filter: {}, reason: '' }, 'ACTION_NOTE'],
  ])('refuses %j', async (request, code) => {
    await expect(previewBulk(queue.db, 'all', request as never)).rejects.toMatchObject({ code })
  })
})
