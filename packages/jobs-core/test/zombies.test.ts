import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueueByType } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const add = async (type: string, options: object = {}) =>
  (await enqueueByType(queue.db, type, 1, { collectionNodeId: queue.collectionNodeId, ...options })).id

test('handlers that never settle lose their slots to others, and with as many of them as slots the worker stops and says why', async () => {
  const aborted: unknown[] = []
  const hangs = defineHandler(defineJob({ type: 't_hang', payload: z.any(), timeoutMs: 1_000 }), ({ signal }) => {
    signal.addEventListener('abort', () => aborted.push(signal.reason))
    return new Promise<never>(() => {})
  })
  const normal = defineHandler(defineJob({ type: 't_normal', payload: z.any() }), async () => {})
  const hung = await Promise.all([add('t_hang', { maxAttempts: 1 }), add('t_hang', { maxAttempts: 1 })])
  const worker = await queue.startWorker([hangs, normal], { maxConcurrent: 2 })
  const next = await add('t_normal')
  expect(await waitForJob(queue.db, next)).toMatchObject({ status: 'completed' })
  for (const id of hung) {
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', error_msg: expect.stringContaining('longer than its 1000 ms') })
    expect(await queue.attempts(id)).toMatchObject([{ end_reason: 'timeout', error_code: 'JOB_TIMEOUT' }])
  }
  expect(aborted).toHaveLength(2)
  await expect(worker.stopped).rejects.toMatchObject({ code: 'HANDLERS_STUCK', message: expect.stringContaining('(t_hang)') })
  expect(queue.named('handler.stuck')).toEqual([
    { name: 'handler.stuck', jobType: 't_hang' },
    { name: 'handler.stuck', jobType: 't_hang' },
  ])
})
