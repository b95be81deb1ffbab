import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueueByType, enqueueMany } from '../src/index.ts'
import { closeRescuedWorkers } from '../src/queue/close-rescued-workers.ts'
import { deregisterWorker } from '../src/queue/deregister-worker.ts'
import { findStrayRuns } from '../src/queue/find-stray-runs.ts'
import { rescueJobs } from '../src/queue/rescue-jobs.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { sentQuery } from './support/sent-query.ts'
import { useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'
import { killProcesses, startProcess } from './support/worker-process.ts'

const queue = useQueue()
const statements = useStatements(queue)
afterEach(killProcesses)

const fast = defineJob({ type: 't_fast', payload: z.any() })
const collection = () => ({ collectionNodeId: queue.collectionNodeId })

describe('what a worker held is found without walking past what it completed', () => {
  test.each<[string, (connection: typeof statements.connection, id: string) => Promise<unknown>]>([
    ['rescue', rescueJobs],
    ['close', closeRescuedWorkers],
    ['strays', (connection, id) => findStrayRuns(connection, id, [])],
    ['deregister', deregisterWorker],
  ])('%s', async (_name, use) => {
    const worker = await statements.register()
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload, status, run, worker_id, claim, started_at, completed_at)
       select $1, 'done', '{}', 'completed', 1, $2, i, now(), now() from generate_series(1, 5000) i`,
      [queue.collectionNodeId, worker],
    )
    await queue.insert()
    const [held] = (await statements.trip({ workerId: worker, limit: 1, freeSlots: 1, claim: 5_001 })).claimed
    await queue.pool.query('update job_workers set held_from = 5001, dead_at = now() where id = $1', [worker])
    await queue.pool.query('analyze job_queue')
    const plan = await explain((connection) => use(connection, worker))
    const walked = scans(plan).filter((scan) => scan['Index Name'] === 'job_queue_held')
    expect(walked.length).toBeGreaterThan(0)
    for (const scan of walked) expect((scan['Actual Rows'] ?? 0) + (scan['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(1)
    expect(scans(plan).filter((scan) => scan['Node Type'] === 'Seq Scan' && scan['Relation Name'] === 'job_queue')).toEqual([])
    expect(held).toBeDefined()
  })
})

test('a worker tells with its heartbeat which claims are over: never beyond one whose job it still runs', async () => {
  const worker = await startProcess(queue.connectionString, { leaseMs: 1_000, pollIntervalMs: 50 })
  const { id: slow } = await enqueueByType(queue.db, 't_wait', 1, collection())
  await worker.event('job.started', (event) => event.name === 'job.started' && event.jobId === slow)
  const many = await enqueueMany(queue.db, fast, Array(300).fill({ payload: 1 }), collection())
  for (const { id } of many) await waitForJob(queue.db, id)
  const { claim } = await queue.job(slow)
  const newest = await queue.pool.query('select max(claim)::int as claim from job_queue')
  expect(newest.rows[0].claim).toBeGreaterThan(Number(claim) + 2)
  await untilHeldFrom(`held_from = ${claim}`)
  worker.tell('ok')
  await waitForJob(queue.db, slow)
  await untilHeldFrom(`held_from > ${newest.rows[0].claim}`)
})

test('a job that a living worker has lost track of is handed back, and runs', async () => {
  const done = defineHandler(fast, async () => {})
  await queue.startWorker([done], { pollIntervalMs: 50 })
  await queue.event('worker.started')
  const { rows } = await queue.pool.query('select id from job_workers')
  const { id } = await queue.insert({ job_type: 't_fast', status: 'running', worker_id: rows[0].id, run: 1, attempts: 1, claim: '0' })
  expect(await queue.event('jobs.forgotten')).toEqual({ name: 'jobs.forgotten', jobIds: [id] })
  expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', run: 2, attempts: 1 })
  expect(await queue.attempts(id)).toMatchObject([{ run: 1, end_reason: 'interrupted' }])
})

async function untilHeldFrom(condition: string): Promise<void> {
  while ((await queue.pool.query(`select from job_workers where ${condition}`)).rows.length === 0) {
    await queue.pool.query('select pg_sleep(0.05)')
  }
}

type Plan = { Plans?: Plan[] } & Partial<Record<'Node Type' | 'Index Name' | 'Relation Name', string>> &
  Partial<Record<'Actual Rows' | 'Rows Removed by Filter', number>>

/** Runs the statement for real, with the settings of the queue's connections, and gives its plan. */
async function explain(use: (connection: typeof statements.connection) => Promise<unknown>): Promise<Plan> {
  const { name, text, values } = await sentQuery(use)
  const query = { name: `explain_${name}`, text: `explain (analyze, format json) ${text}`, values }
  const [row] = await statements.connection.run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(query)
  return row?.['QUERY PLAN'][0].Plan as Plan
}

function scans(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(scans)]
}
