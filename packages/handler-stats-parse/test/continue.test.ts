import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { enqueue } from '@sidelinja/jobs-core'
import { createWorker, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { statsParse, statsParseKey } from '../src/job.ts'
import type { RunLimits } from '../src/read-log.ts'
import { type KilledWorkerOptions, killPoints } from './killed-worker.ts'
import { accessLine, sampleNow, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

/** Sixty listeners, of whom every third comes twice, over a packed, a plain and the live log. */
const lines = Array.from({ length: 80 }, (_, n) =>
  accessLine({ address: `198.51.100.${n % 60}`, at: `2026-11-30T18:${String(n % 60).padStart(2, '0')}:00Z` }),
)
const limits: RunLimits = { bytes: (lines[0]?.length ?? 0) * 9, ms: 20_000, listeners: 1000 }

beforeEach(async () => {
  await t.writeLog(zlib.gzipSync(lines.slice(0, 30).join('')), 'access-2026-11-30T18-30-00.000.log.gz')
  await t.writeLog(lines.slice(30, 50).join(''), 'access-2026-11-30T18-50-00.000.log')
  await t.writeLog(lines.slice(50).join(''))
})

const start = (collectionNodeId: string, more = {}) =>
  enqueue(
    t.pool,
    statsParse,
    { logPath: 'access.log' },
    { collectionNodeId, unique: { key: statsParseKey({ logPath: 'access.log' }) }, ...more },
  )

/** Runs a worker until the last job of the collection's chain has completed. */
async function work(collection: string, now = sampleNow): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const onEvent = async (event: WorkerEvent) => {
    if (event.name === 'job.failed') ended.reject(new Error(JSON.stringify(event)))
    if (event.name !== 'job.completed') return
    const { rows } = await t.pool.query('select collection_node_id, result from job_queue where id = $1', [event.jobId])
    if (rows[0]?.collection_node_id === collection && !rows[0].result.more) ended.resolve()
  }
  const worker = createWorker({ connection: t.connectionString, handlers: [t.handlerAt(now, limits)], pollIntervalMs: 50, onEvent })
  await worker.start()
  try {
    await ended.promise
  } finally {
    await worker.stop()
  }
}

const jobsOf = async (collection: string) =>
  (await t.pool.query('select * from job_queue where collection_node_id = $1 order by sequence', [collection])).rows

/** All that the statistics remember of a collection, without what must differ between two. */
async function memoryOf(collection: string) {
  const read = async (sql: string) => (await t.pool.query(sql, [collection])).rows
  return {
    downloads: await t.downloads(collection),
    listeners: await read(
      'select day::text, episode, app, ranges, counted, count(*) from podcast_listener_days where collection_node_id = $1 group by 1, 2, 3, 4, 5 order by 1, 2, 3',
    ),
    checkpoint: await read(
      `select path, byte_offset, encode(head_sha256, 'hex') from podcast_log_checkpoints where collection_node_id = $1`,
    ),
    finished: await read(`select path, encode(head_sha256, 'hex') from podcast_finished_logs where collection_node_id = $1 order by 2`),
    salts: await read('select day::text from podcast_salts where collection_node_id = $1'),
  }
}

test('a run that leaves lines enqueues the one that goes on, one at a time', async () => {
  const collection = await t.insertCollection()
  await start(collection, { priority: 7, maxAttempts: 5, correlationId: 'evening' })
  await work(collection)
  const jobs = await jobsOf(collection)
  expect(jobs.map(({ result }) => result.more)).toEqual([...Array(jobs.length - 1).fill(true), false])
  expect(jobs.length).toBeGreaterThan(6)
  expect(jobs.reduce((sum, { result }) => sum + result.lines, 0)).toBe(80)
  expect(jobs.reduce((sum, { result }) => sum + result.downloads, 0)).toBe(60)
  expect(await t.downloads(collection)).toEqual([['/media/ep002.mp3', '2026-11-30', 'AntennaPod', 60]])
  for (const job of jobs) {
    expect(job).toMatchObject({
      priority: 7,
      max_attempts: 5,
      correlation_id: 'evening',
      attempts: 1,
      unique_key: 'log:access.log',
      payload: { logPath: 'access.log' },
    })
  }
})

test('a job that waits for later is brought forward by lines that are left', async () => {
  const collection = await t.insertCollection()
  const tomorrow = new Date('2099-12-01T20:00:00Z')
  const { id } = await start(collection, { scheduledFor: tomorrow })
  // Somebody else's run, without a key, leaves lines.
  await enqueue(t.pool, statsParse, { logPath: 'access.log' }, { collectionNodeId: collection })
  await work(collection)
  const jobs = await jobsOf(collection)
  expect(jobs.find((job) => job.id === id)).toMatchObject({ status: 'completed' })
  expect(jobs.every(({ status }) => status === 'completed')).toBe(true)
  expect(jobs.reduce((sum, { result }) => sum + result.lines, 0)).toBe(80)
})

test('nothing waits after a run that has read everything; one that waits already is left where it is', async () => {
  const once = await t.insertCollection()
  await start(once)
  await work(once)
  expect((await jobsOf(once)).filter(({ ready }) => ready)).toEqual([])

  const waiting = await t.insertCollection()
  const tomorrow = new Date('2099-12-01T20:00:00Z')
  const { id } = await start(waiting, { scheduledFor: tomorrow })
  await t.run(waiting)
  expect(await jobsOf(waiting)).toMatchObject([{ id, scheduled_for: tomorrow }])
})

describe('kill -9', () => {
  let undisturbed: Awaited<ReturnType<typeof memoryOf>>
  beforeAll(async () => {
    await t.writeLog(zlib.gzipSync(lines.slice(0, 30).join('')), 'access-2026-11-30T18-30-00.000.log.gz')
    await t.writeLog(lines.slice(30, 50).join(''), 'access-2026-11-30T18-50-00.000.log')
    await t.writeLog(lines.slice(50).join(''))
    const collection = await t.insertCollection()
    await start(collection)
    await work(collection)
    undisturbed = await memoryOf(collection)
    expect(undisturbed.downloads).toEqual([['/media/ep002.mp3', '2026-11-30', 'AntennaPod', 60]])
  })

  test.each(killPoints)('%s changes nothing', { timeout: 60_000 }, async (point) => {
    const collection = await t.insertCollection()
    await start(collection)
    // Not in the first run, which has left something to go wrong with. Each run opens a file several times.
    const time = point === 'before the log is opened' ? 7 : 2
    expect(
      await runKilledWorker({
        connectionString: t.connectionString,
        logRoot: t.logRoot,
        now: sampleNow.toISOString(),
        limits,
        point,
        time,
      }),
    ).toBe('SIGKILL')
    const before = await jobsOf(collection)
    const last = before.pop()
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 'completed'))
    // The killed run is the last one; or the one before, once it is committed. What that one enqueued the worker may have claimed by then.
    expect(before.length).toBeGreaterThanOrEqual(point === 'after the commit' ? 2 : 1)
    expect(point === 'after the commit' ? ['pending', 'running'] : ['running']).toContain(last.status)
    expect(before.some(({ result }) => result?.more === false)).toBe(false)
    await work(collection)
    expect(await memoryOf(collection)).toEqual(undisturbed)
    const jobs = await jobsOf(collection)
    expect(jobs.every(({ status }) => status === 'completed')).toBe(true)
    expect(jobs.reduce((sum, { result }) => sum + result.lines, 0)).toBe(80)
    expect(jobs.reduce((sum, { result }) => sum + result.downloads, 0)).toBe(60)
  })
})

async function runKilledWorker(options: KilledWorkerOptions): Promise<NodeJS.Signals | null> {
  const script = join(import.meta.dirname, 'killed-worker.ts')
  const child = spawn(process.execPath, ['--conditions=@sidelinja/source', script, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const [code, signal] = await once(child, 'exit')
  if (signal === null) throw new Error(`The worker ended with ${code} instead: ${complaints}`)
  return signal
}
