import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { getSchedule, upsertSchedule } from '@sidelinja/jobs-core/admin'
import { drain, travel } from '@sidelinja/jobs-core/testing'
import { createWorker, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { statsParseSchedule } from '../src/job.ts'
import type { KilledWorkerOptions } from './killed-worker.ts'
import { accessLine, sampleNow, setup } from './support.ts'

const all: Awaited<ReturnType<typeof setup>>[] = []
let t: Awaited<ReturnType<typeof setup>>
let collection: string
beforeEach(async () => {
  t = await setup(inject('server'))
  all.push(t)
  collection = await t.insertCollection()
  await t.writeLog(accessLine())
})
afterAll(() => Promise.all(all.map((one) => one.drop())))

const limits = { bytes: 64 * 1024 * 1024, ms: 20_000, listeners: 1_000 }
const schedule = (more = {}) => ({ ...statsParseSchedule({ collectionNodeId: collection, logPath: 'access.log' }), ...more })
const handlers = () => [t.handlerAt(sampleNow, limits)]
const jobs = async () => (await t.pool.query('select * from job_queue where collection_node_id = $1 order by sequence', [collection])).rows

test('reads the log at once, and every quarter of an hour', async () => {
  await upsertSchedule(t.pool, schedule(), 'all')
  expect(await drain(t.pool, handlers())).toMatchObject([{ type: 'stats_parse', outcome: 'completed' }])
  await t.appendLog(accessLine({ address: '203.0.113.2' }))
  await travel(t.pool, { minutes: 15 })
  await drain(t.pool, handlers())
  expect(await t.downloads(collection)).toEqual([['/media/ep002.mp3', '2026-11-30', 'AntennaPod', 2]])
  expect(await jobs()).toMatchObject([
    { status: 'completed', priority: 1, max_attempts: 3, unique_key: 'log:access.log', unique_until: 'claimed' },
    { status: 'completed' },
  ])
})

test('a run that ends in error for good does not end the series', async () => {
  await upsertSchedule(t.pool, schedule({ payload: { logPath: 'later.log' } }), 'all')
  expect(await drain(t.pool, handlers())).toMatchObject([{ outcome: 'error', error: { code: 'FILE_MISSING' } }])
  await t.writeLog(accessLine(), 'later.log')
  await travel(t.pool, { minutes: 15 })
  expect(await drain(t.pool, handlers())).toMatchObject([{ outcome: 'completed' }])
})

test('a log that is longer than a run goes on under the same key, and a tick meanwhile adds nothing', async () => {
  const lines = Array.from({ length: 12 }, (_, n) => accessLine({ address: `203.0.113.${n}` }))
  await t.writeLog(lines.join(''))
  await upsertSchedule(t.pool, schedule(), 'all')
  const few = [t.handlerAt(sampleNow, { ...limits, bytes: (lines[0]?.length ?? 0) * 5 })]
  // One run only; what it has left waits when the next tick comes.
  await expect(drain(t.pool, few, { maxRuns: 1 })).rejects.toThrow(/after 1 runs/)
  await travel(t.pool, { minutes: 15 })
  await drain(t.pool, few)
  expect((await jobs()).map(({ result }) => result.more)).toEqual([true, true, false])
  expect(await t.downloads(collection)).toEqual([['/media/ep002.mp3', '2026-11-30', 'AntennaPod', 12]])
})

test('a collection has one, however often it is said; another period starts anew', async () => {
  const { id } = await upsertSchedule(t.pool, schedule(), 'all')
  expect(await upsertSchedule(t.pool, schedule({ everySeconds: 3_600 }), 'all')).toEqual({ id })
  expect(await getSchedule(t.db, schedule(), 'all')).toMatchObject({
    name: 'statistics',
    every_seconds: 3_600,
    payload: { logPath: 'access.log' },
  })
})

test('a worker that is killed between its run and the next tick does not end it', { timeout: 60_000 }, async () => {
  await upsertSchedule(t.pool, schedule(), 'all')
  const options: KilledWorkerOptions = {
    ...{
      connectionString: t.connectionString,
      logRoot: t.logRoot,
      now: sampleNow.toISOString(),
      limits,
      point: 'after the commit',
      time: 1,
    },
  }
  const script = join(import.meta.dirname, 'killed-worker.ts')
  const child = spawn(process.execPath, ['--conditions=@sidelinja/source', script, JSON.stringify(options)], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  expect(await jobs()).toMatchObject([{ status: 'completed' }])

  await t.appendLog(accessLine({ address: '203.0.113.2' }))
  await travel(t.pool, { minutes: 15 })
  const completed = Promise.withResolvers<void>()
  const onEvent = (event: WorkerEvent) => event.name === 'job.completed' && completed.resolve()
  const worker = createWorker({ connection: t.connectionString, handlers: handlers(), pollIntervalMs: 20, onEvent })
  await worker.start()
  await completed.promise.finally(() => worker.stop())
  expect(await t.downloads(collection)).toEqual([['/media/ep002.mp3', '2026-11-30', 'AntennaPod', 2]])
})
