import { expect, test } from 'vitest'
import type { HeartbeatTask } from './heartbeat-thread.ts'
import { startThread } from './start-thread.ts'

const broken = (change: object): HeartbeatTask => ({
  ...{ connection: {}, pooler: undefined, queryTimeoutMs: 1_000, workerId: '', leaseMs: 1_000, maxLoopBlockMs: 1_000 },
  // No whole number of cells: the thread ends with an error as soon as it looks at it.
  memory: new SharedArrayBuffer(3),
  ...change,
})

test('a thread that ends by itself says why', async () => {
  const end = new Promise((resolve) => startThread(broken({}), { onNews: () => {}, onEnd: resolve }))
  expect(await end).toMatchObject({ name: 'RangeError' })
})

test('a thread that breaks while it is being stopped is stopped all the same', async () => {
  const ends: unknown[] = []
  const thread = startThread(broken({}), { onNews: () => {}, onEnd: (error) => ends.push(error) })
  await thread.stop()
  expect(ends).toEqual([])
})

test('a thread that needs more memory than it may have ends, and takes nobody along', { timeout: 60_000 }, async () => {
  const error = await new Promise((resolve) => {
    startThread(broken({ connection: { much: Array.from({ length: 2_500_000 }, (_, n) => ({ n })) } }), {
      onNews: () => {},
      onEnd: resolve,
    })
  })
  expect(error).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
})
