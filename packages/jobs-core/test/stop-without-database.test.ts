import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../src/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { startProxy, type TestProxy } from './support/proxy.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
/** Drain and five seconds; and three more for a machine that has much else to do. */
const longestMs = 100 + 5_000 + 3_000

let proxy: TestProxy
beforeAll(async () => {
  proxy = await startProxy(queue.connectionString)
})
afterEach(() => proxy.mend())
afterAll(() => proxy.close())

test.each(['cut', 'hush'] as const)(
  'a worker stops in time while its database is away (%s), whatever its handler and its write do',
  async (how) => {
    const handlers = [
      defineHandler(definition, ({ payload }) =>
        payload === 'hangs' ? new Promise(() => {}) : Promise.resolve({ write: () => new Promise(() => {}) }),
      ),
    ]
    const worker = await queue.startWorker(handlers, { connection: proxy.connectionString, leaseMs: 3_600_000 })
    for (const payload of ['hangs', 'hangs in write'])
      await enqueue(queue.db, definition, payload, { collectionNodeId: queue.collectionNodeId })
    await queue.event('job.started', () => queue.named('job.started').length === 2)
    proxy[how]()
    const startedAt = performance.now()
    await worker.stop({ drainMs: 100 })
    expect(performance.now() - startedAt).toBeLessThan(longestMs)
    expect(queue.named('worker.stopped')).toHaveLength(1)
  },
)
