import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../src/index.ts'
import { runHandler, waitForJob } from '../src/testing/index.ts'
import { defineHandler, type Handler } from '../src/worker/index.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'tells', payload: z.any(), maxAttempts: 3 })

beforeAll(() => queue.pool.query('create table notes (text text)'))
beforeEach(() => queue.pool.query('delete from notes'))

/** Counts the notes after it has written one, and tells that. */
const counting: Handler = defineHandler(definition, async () => ({
  result: 'the one beside it',
  write: async (trx) => {
    await sql`insert into notes (text) values ('a')`.execute(trx)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from notes`.execute(trx)
    return { result: { notes: rows[0]?.count ?? 0, odd: 'NUL \0' } }
  },
}))

async function run(handler: Handler) {
  await queue.startWorker([handler])
  return enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })
}

test('write may tell the result, which then stands in place of the one beside it', async () => {
  const { id } = await run(counting)
  expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', result: { notes: 1, odd: 'NUL \ufffd' } })
})

test('a handler that is run without a queue gives the same result', async () => {
  expect(await runHandler(counting, { payload: 1, db: queue.db })).toMatchObject({ result: { notes: 1, odd: 'NUL \ufffd' }, written: true })
  expect(await runHandler(counting, { payload: 1 })).toMatchObject({ result: 'the one beside it', written: false })
})

test('what is written is rolled back when the result cannot be stored', async () => {
  const { id } = await run(
    defineHandler(definition, async () => ({
      async write(trx) {
        await sql`insert into notes (text) values ('a')`.execute(trx)
        return { result: 'x'.repeat(300_000) }
      },
    })),
  )
  expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', attempts: 1, result: null })
  expect(await queue.attempts(id)).toMatchObject([{ error_code: 'RESULT_TOO_LARGE' }])
  expect((await queue.pool.query('select from notes')).rowCount).toBe(0)
})
