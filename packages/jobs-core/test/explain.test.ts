import { randomUUID } from 'node:crypto'
import { CamelCasePlugin, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cancelJob, explainJob, pauseJobs, type ReasonCode, type Scope } from '../src/admin/index.ts'
import { defineJob, enqueue, SnoozeError } from '../src/index.ts'
import { insertJob, insertNode, insertWorker, waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const codes = async (id: string): Promise<ReasonCode[]> => (await explainJob(queue.db, id, 'all')).reasons.map(({ code }) => code)
const facts = async (id: string) => (await explainJob(queue.db, id, 'all')).reasons[0]?.facts
const job = (columns: Parameters<typeof insertJob>[1] = {}) =>
  insertJob(queue.db, { collection_node_id: queue.collectionNodeId, ...columns })
const types = ['test_job']
const ago = (ms: number) => new Date(Date.now() - ms)
const hour = 3_600_000

describe('explainJob', () => {
  test('of a job that only waits says so, on whatever connection', async () => {
    const { id } = await job()
    await insertWorker(queue.db, { types })
    for (const db of [queue.db, queue.pool, queue.db.withPlugin(new CamelCasePlugin())]) {
      expect(await explainJob(db, id, 'all')).toMatchObject({ id, status: 'pending', reasons: [{ code: 'NEXT_POLL' }] })
    }
  })

  test('finds no job outside the scope, and none that is none', async () => {
    const { id } = await job()
    const scopes: Scope[] = [{ collectionNodeIds: [] }, { collectionNodeIds: [randomUUID()] }]
    for (const scope of scopes) await expect(explainJob(queue.db, id, scope)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    for (const none of [randomUUID(), 'x', '', undefined as never]) {
      await expect(explainJob(queue.db, none, 'all')).rejects.toMatchObject({ name: 'JobNotFoundError', code: 'JOB_NOT_FOUND' })
    }
    await expect(explainJob(queue.db, id, {} as never)).rejects.toMatchObject({ code: 'SCOPE_INVALID' })
    expect(await explainJob(queue.db, id, { collectionNodeIds: [queue.collectionNodeId] })).toMatchObject({ id })
  })

  test('tells who of the workers could take it', async () => {
    const { id } = await job()
    expect(await codes(id)).toEqual(['NO_WORKER'])
    await insertWorker(queue.db, { types: ['other_job'] })
    await insertWorker(queue.db, { types, dead_at: ago(hour), lease_expires_at: ago(hour), heartbeat_at: ago(hour) })
    expect(await codes(id)).toEqual(['WORKERS_LOST'])
    await insertWorker(queue.db, { types, lease_expires_at: ago(1_000), heartbeat_at: ago(31_000) })
    expect(await facts(id)).toMatchObject({ workers: 2, lastHeartbeatAt: expect.any(String) })
    await insertWorker(queue.db, { types, draining: true })
    expect(await codes(id)).toEqual(['WORKERS_DRAINING'])
    const { id: worker_id } = await insertWorker(queue.db, { types, slots: 2 })
    await job({ status: 'running', worker_id })
    await job({ status: 'running', worker_id, prefetched: true })
    await job({ status: 'completed', worker_id })
    expect(await codes(id)).toEqual(['NEXT_POLL'])
    await job({ status: 'running', worker_id })
    expect(await codes(id)).toEqual(['WORKERS_BUSY'])
    await insertWorker(queue.db, { types })
    expect(await codes(id)).toEqual(['NEXT_POLL'])
  })

  test('counts what stands before it: what its workers may take, and no further than a thousand', async () => {
    const due = ago(60_000)
    const { id } = await job({ priority: 5, scheduled_for: due })
    await insertWorker(queue.db, { types: [...types, 'same_worker'] })
    await insertWorker(queue.db, { types: ['other_worker'] })
    const before = [{ priority: 6 }, { priority: 5, scheduled_for: ago(120_000) }, { priority: 6, job_type: 'same_worker' }]
    for (const columns of before) await job(columns)
    const behind = [
      { priority: 4, scheduled_for: ago(120_000) },
      { priority: 5, scheduled_for: due },
      { priority: 9, scheduled_for: new Date(Date.now() + hour) },
      { priority: 9, job_type: 'other_worker' },
      { priority: 9, status: 'running' as const },
    ]
    for (const columns of behind) await job(columns)
    expect(await facts(id)).toEqual({ jobs: 3, more: false })
    await pauseJobs(queue.db, { type: 'same_worker' }, 'all')
    expect(await facts(id)).toEqual({ jobs: 2, more: false })
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload, priority) select $1, 'test_job', '{}', 7 from generate_series(1, 3000)`,
      [queue.collectionNodeId],
    )
    expect(await facts(id)).toEqual({ jobs: 1_000, more: true })
  })

  test('reads no more than that, however much waits', async () => {
    const { id } = await job()
    const worker = await insertWorker(queue.db, { types })
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload, status, run, worker_id, claim, started_at, completed_at)
       select $1, 'test_job', '{}', 'completed', 1, $2, n, now(), now() from generate_series(1, 20000) n`,
      [queue.collectionNodeId, worker.id],
    )
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload, priority) select $1, 'test_job', '{}', n % 3 from generate_series(1, 20000) n`,
      [queue.collectionNodeId],
    )
    await queue.pool.query('analyze job_queue')
    // The function itself shows no plan of what is in it.
    const { rows: bodies } = await queue.pool.query(
      `select pg_get_function_sqlbody('explain_job_snapshot(uuid, uuid[])'::regprocedure) as body`,
    )
    const body = bodies[0].body.replace(/^BEGIN ATOMIC/, '').replace(/;\s*END$/, '')
    const read = await queue.db.connection().execute(async (db) => {
      await sql
        .raw(
          `prepare explained (uuid, uuid[]) as ${body.replaceAll('explain_job_snapshot.job_id', '$1').replaceAll('explain_job_snapshot.collections', '$2')}`,
        )
        .execute(db)
      const { rows } = await sql
        .raw<Record<string, { Plan: PlanNode }[]>>(`explain (analyze, timing off, format json) execute explained ('${id}', null)`)
        .execute(db)
      return rowsRead(rows[0]?.['QUERY PLAN']?.[0]?.Plan as PlanNode)
    })
    expect(read.length).toBeGreaterThan(2)
    expect(Math.max(...read)).toBe(1_001)
  })

  test('tells every pause that holds it, and none that does not', async () => {
    const { id } = await job()
    await insertWorker(queue.db, { types })
    const elsewhere = (await insertNode(queue.db)).id
    const pause = (target: object, note = {}) => pauseJobs(queue.db, target, 'all', note)
    await pause({ type: 'other_job' })
    await pause({ collectionNodeId: elsewhere })
    await pause({ type: 'test_job', collectionNodeId: elsewhere })
    expect(await codes(id)).toEqual(['NEXT_POLL'])
    const { since } = await pause({ type: 'test_job' }, { by: 'Kari', reason: 'new model' })
    expect(await facts(id)).toEqual({
      type: 'test_job',
      collectionNodeId: null,
      by: 'Kari',
      reason: 'new model',
      since: since.toISOString(),
    })
    await pause({ collectionNodeId: queue.collectionNodeId })
    await pause({ type: 'test_job', collectionNodeId: queue.collectionNodeId })
    expect(await codes(id)).toEqual(['PAUSED', 'PAUSED', 'PAUSED'])
  })

  test('follows a job through its life', async () => {
    const definition = defineJob({ type: 'a_job', payload: z.any(), maxAttempts: 2 })
    const [ends, seen] = [deferred(), { id: '' }]
    const handler = defineHandler(definition, async ({ job, signal }) => {
      if (job.run === 1) throw new SnoozeError(hour, 'closed')
      if (job.run === 2) throw new Error('connection refused')
      await Promise.race([ends.promise, new Promise((_, reject) => signal.addEventListener('abort', reject))])
    })
    const worker = await queue.startWorker([handler])
    const settled = (status: 'pending' | 'retry' | 'cancelled', run: number) =>
      queue.event(status === 'cancelled' ? 'job.cancelled' : run === 1 ? 'job.snoozed' : 'job.failed', (event) => event.run === run)
    seen.id = (await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })).id
    const { id } = seen
    await settled('pending', 1)
    expect(await facts(id)).toMatchObject({ error: 'closed', dueInMs: expect.any(Number) })
    expect(await codes(id)).toEqual(['SNOOZED'])
    const dueNow = () => queue.pool.query(`update job_queue set scheduled_for = now() where id = $1`, [id])
    await dueNow()
    await settled('retry', 2)
    expect(await codes(id)).toEqual(['WAITS_FOR_RETRY'])
    await dueNow()
    await queue.event('job.started', (event) => event.run === 3)
    expect(await facts(id)).toMatchObject({ pid: process.pid, attempt: 2 })
    await queue.pool.query('update job_queue set cancel_requested_at = now() where id = $1', [id])
    expect((await codes(id))[0]).toBe('RUNNING')
    await cancelJob(queue.db, id, 'all')
    await waitForJob(queue.db, id, { status: 'cancelled' })
    expect(await codes(id)).toEqual(['CANCELLED'])
    await worker.stop()
  })

  test.each([
    ['completed', {}, 'COMPLETED'],
    ['error', { error_msg: 'no such file' }, 'FAILED'],
    ['running', {}, 'RUNNING'],
    ['running', { worker_id: randomUUID() }, 'RUNNER_LOST'],
  ] as const)('says of a job that is %s what it is', async (status, columns, code) => {
    expect(await codes((await job({ status, ...columns })).id)).toEqual([code])
  })
})

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** How many rows of job_queue each node of a plan has looked at. */
function rowsRead(node: PlanNode): number[] {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  return [...(node['Relation Name'] === 'job_queue' ? [rows] : []), ...(node.Plans ?? []).flatMap(rowsRead)]
}
