import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { enqueue } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { urlIngest } from '../src/job.ts'
import { type KilledWorkerOptions, killPoints } from './killed-worker.ts'
import { page } from './samples.ts'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const startWorker = async () => {
  const worker = createWorker({ connection: t.connectionString, handlers: [t.handler], leaseMs: 1_000, pollIntervalMs: 50 })
  await worker.start()
  return worker
}

test.each(killPoints)(
  'a worker is killed %s: the next one goes on, fetches and pays for nothing twice, and leaves one clip',
  async (point) => {
    const collectionNodeId = await t.collection()
    const [fetched, asked] = [t.site.requests.length, t.gateway.requests.length]
    const { id } = await enqueue(t.pool, urlIngest, { url: t.site.address('/sak') }, { collectionNodeId })
    const { connectionString } = t
    expect(await killed({ connectionString, gatewayUrl: t.gateway.url, sitePort: new URL(t.site.url).port, point })).toBe('SIGKILL')
    const worker = await startWorker()
    try {
      expect(await waitForJob(t.pool, id, { status: 'completed' })).toMatchObject({ result: { outcome: 'stored', quality: 'full' } })
    } finally {
      await worker.stop()
    }
    expect([t.site.requests.length - fetched, t.gateway.requests.length - asked]).toEqual([1, 1])
    expect(await t.clips(collectionNodeId)).toHaveLength(1)
  },
)

test('jobs of one page at once leave one clip and one edge, whoever is first', async () => {
  const collectionNodeId = await t.collection()
  t.site.setPages({ '/samtidig': page() })
  const url = t.site.address('/samtidig')
  const ids = await Promise.all(
    [url, `${url}?utm_source=x`, `${url}#del`, `${url}?fbclid=7`].map((each) =>
      enqueue(t.pool, urlIngest, { url: each }, { collectionNodeId }),
    ),
  )
  const workers = await Promise.all([startWorker(), startWorker()])
  try {
    for (const { id } of ids) await waitForJob(t.pool, id, { status: 'completed' })
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
  expect(await t.clips(collectionNodeId)).toHaveLength(1)
})

test('a worker that stops while a page comes hands the job back, uncharged, and the next one fetches it', async () => {
  const collectionNodeId = await t.collection()
  t.site.setPages({ '/treg': page() })
  t.site.fail({ hang: 'mid-body' })
  const { id } = await enqueue(t.pool, urlIngest, { url: t.site.address('/treg') }, { collectionNodeId })
  const first = await startWorker()
  const fetched = t.site.requests.length
  await expect.poll(() => t.site.requests.length).toBeGreaterThan(fetched)
  await first.stop({ drainMs: 0 })
  expect(await waitForJob(t.pool, id, { status: ['pending', 'retry'] })).toMatchObject({ attempts: 0 })
  const second = await startWorker()
  try {
    expect(await waitForJob(t.pool, id, { status: 'completed' })).toMatchObject({ attempts: 1 })
  } finally {
    await second.stop()
  }
})

/** What ended it. */
async function killed(options: KilledWorkerOptions): Promise<NodeJS.Signals | null> {
  const program = join(import.meta.dirname, 'killed-worker.ts')
  const child = spawn(process.execPath, ['--conditions=@sidelinja/source', program, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  return signal
}
