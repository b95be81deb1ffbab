import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'thinks_in_write', payload: z.any(), maxAttempts: 1 })

test.each([
  ['and then goes on', true],
  ['and then ends', false],
])(
  'a write that leaves its transaction idle for longer than the lease %s fails by its own fault, and is not called again',
  async (_name, goesOn) => {
    let calls = 0
    const handler = defineHandler(definition, async () => ({
      write: async (trx) => {
        calls++
        await sql`select`.execute(trx)
        // As one that asks a slow service here.
        await queue.pool.query('select pg_sleep(2)')
        if (goesOn) await sql`select`.execute(trx)
      },
    }))
    await queue.startWorker([handler], { leaseMs: 1_000 })
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', attempts: 1 })
    expect(await queue.attempts(id)).toMatchObject([{ end_reason: 'failed', error_code: 'WRITE_IDLE' }])
    expect(calls).toBe(1)
  },
)

test("a connection that breaks under a write that is not idle is nobody's fault, however long its statements take", async () => {
  let calls = 0
  const handler = defineHandler(definition, async () => ({
    write: async (trx) => {
      calls++
      for (let n = 0; n < 3; n++) await sql`select pg_sleep(0.6)`.execute(trx)
      if (calls === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx)
    },
  }))
  await queue.startWorker([handler], { leaseMs: 1_000 })
  const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
  expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
  expect(calls).toBe(2)
})
