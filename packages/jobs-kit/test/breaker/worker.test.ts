import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineJob, enqueueByType } from '@sidelinja/jobs-core'
import { explainJob } from '@sidelinja/jobs-core/admin'
import { insertNode, waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker, defineHandler, type Worker, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createBreaker, createHttpClient } from '../../src/index.ts'
import { useBreakers } from './support.ts'

const breakers = useBreakers()
const { row, makeDue } = breakers
let server: Server
let status = 200
let requests = 0
let collectionNodeId = ''
const workers: Worker[] = []
const events: WorkerEvent[] = []

beforeEach(async () => {
  status = 200
  requests = 0
  events.splice(0)
  server = createServer((_request, response) => {
    requests++
    response.writeHead(status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  collectionNodeId = (await insertNode(breakers.database.db)).id
})
// Before the hook that empties the queue.
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop({ drainMs: 0 })))
  server.close()
})

const add = async () => (await enqueueByType(breakers.database.db, 'hears', {}, { collectionNodeId, maxAttempts: 1 })).id
const jobs = async () =>
  (await breakers.database.pool.query('select status, attempts, count(*)::int from job_queue group by 1, 2 order by 1, 2')).rows

/** A worker with a handler that makes one call. Its services have a pool of their own, as in the worker's process. */
async function startWorker(): Promise<void> {
  const client = createHttpClient({ service: 'captions' })
  const breaker = createBreaker(breakers.connect(3), { service: 'captions' })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const handler = defineHandler(
    defineJob({ type: 'hears', payload: z.any() }),
    async ({ signal }) => {
      await breaker.call(() => client.request({ method: 'GET', url, timeoutMs: 5_000, signal }))
    },
    { services: ['captions'] },
  )
  const connection = breakers.database.connectionString
  const worker = createWorker({ connection, handlers: [handler], pollIntervalMs: 60_000, onEvent: (event) => events.push(event) })
  workers.push(worker)
  await worker.start()
}

test('a wrong key costs no job an attempt, whatever number of workers and jobs meet it; a right one, and all are done', {
  timeout: 120_000,
}, async () => {
  status = 401
  const ids = await Promise.all(Array.from({ length: 30 }, add))
  for (let n = 0; n < 3; n++) await startWorker()
  while (!((await row())?.open && events.filter(({ name }) => name === 'service.down').length === 3)) await tick()
  while ((await jobs()).some(({ status: each }) => each === 'running')) await tick()
  // Those that met it, and no other; each has one attempt only, and has kept it.
  expect(requests).toBeLessThanOrEqual(9)
  expect(await jobs()).toEqual([{ status: 'pending', attempts: 0, count: 30 }])
  expect((await explainJob(breakers.database.db, ids[0] ?? '', 'all')).reasons[0]).toMatchObject({
    code: 'SERVICE_DOWN',
    facts: { service: 'captions', httpStatus: 401, errorCode: 'UPSTREAM_UNAUTHORIZED' },
  })
  const { rows } = await breakers.database.pool.query('select distinct end_reason, error_code from job_attempts')
  expect(rows).toEqual([{ end_reason: 'snoozed', error_code: 'SERVICE_DOWN' }])

  status = 200
  await breakers.database.pool.query(`update job_queue set scheduled_for = now() where status = 'pending'`)
  await makeDue()
  // Who came just beside the probe has been put off once more, for half a minute.
  const patience = { timeoutMs: 90_000 }
  for (const id of ids) expect(await waitForJob(breakers.database, id, patience)).toMatchObject({ status: 'completed', attempts: 1 })
  expect(await row()).toMatchObject({ open: false, openings: 1 })
  expect(events.filter(({ name }) => name === 'job.failed')).toEqual([])
})

test('a service that cannot be reached is left alone after five calls', async () => {
  status = 503
  await Promise.all(Array.from({ length: 20 }, add))
  await startWorker()
  while (!(await row())?.open) await tick()
  while ((await jobs()).some(({ status: each }) => each === 'running')) await tick()
  // Three slots: when the fifth fails, two more may be under way.
  expect(requests).toBeLessThanOrEqual(7)
  const ended = await jobs()
  expect(ended).toEqual([
    { status: 'pending', attempts: 0, count: expect.any(Number) },
    { status: 'error', attempts: 1, count: expect.any(Number) },
  ])
  expect(ended[1].count).toBeLessThanOrEqual(4)
})

const tick = () => new Promise((resolve) => setTimeout(resolve, 10))
