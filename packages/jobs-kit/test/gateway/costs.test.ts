import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { insertAiCall, sumAiCosts } from '../../src/storage/ai-calls/index.ts'
import { logInAsWorker } from '../support/log-in-as-worker.ts'

describe('what a collection has spent, under row-level security', () => {
  let database: TestDatabase
  let worker: Awaited<ReturnType<typeof logInAsWorker>>
  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
    worker = await logInAsWorker(database)
  })
  afterAll(async () => {
    await worker.close()
    await database.drop()
  })

  const spend = async (collectionNodeId: string, jobId: string, costUsd: number | null, createdAt: string) => {
    await insertAiCall(worker.db, {
      ...{
        collectionNodeId,
        jobId,
        jobType: 'ai_test',
        run: 1,
        question: 'q',
        promptVersion: 'test/1',
        modelAlias: 'm',
        modelServed: null,
      },
      ...{ promptTokens: null, completionTokens: null, reasoningTokens: null, costUsd, callId: null, latencyMs: 1, errorCode: null },
    })
    await database.pool.query(`update ai_calls set created_at = (${createdAt}) where id = (select max(id) from ai_calls)`)
  }

  test.each(['Europe/Oslo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])('days and months begin at midnight in %s', async (timeZone) => {
    const [{ id: mine }, { id: other }] = [await insertNode(database.db), await insertNode(database.db)]
    const jobId = randomUUID()
    const start = (unit: string) => `date_trunc('${unit}', now() at time zone '${timeZone}') at time zone '${timeZone}'`
    await spend(mine, jobId, 1, `${start('month')} - interval '1 ms'`)
    await spend(mine, randomUUID(), 2, start('month'))
    await spend(mine, randomUUID(), null, start('day'))
    await spend(mine, jobId, 4, start('day'))
    await spend(mine, jobId, 8, `${start('day')} - interval '1 ms'`)
    await spend(other, randomUUID(), 16, 'now()')

    const { rows } = await database.pool.query<{ first: boolean }>(`select ${start('day')} = ${start('month')} as first`)
    // On the first of a month what was spent yesterday is the month's before.
    const [day, month] = rows[0]?.first ? [6, 6] : [4, 14]
    expect(await sumAiCosts(worker.db, mine, { jobId, timeZone })).toEqual({ job: 13, day, month })
    expect(await sumAiCosts(worker.db, mine, { jobId: randomUUID(), timeZone })).toMatchObject({ job: 0 })
  })
})
