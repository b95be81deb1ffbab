import { enqueue } from '@sidelinja/jobs-core'
import { waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createHandler } from '../src/handler.ts'
import { openrouterAnalyze } from '../src/job.ts'
import { council, setup } from './support.ts'

const body = '{"error": {"message": "Rate limit reached", "type": "rate_limit_error"}}'
const inTwoMinutes = () => new Date(Date.now() + 120_000).toUTCString()

describe('a gateway that wants to be left alone', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'))
  })
  afterAll(() => t.drop())

  // The backoff of a first attempt is 30 s and up to a tenth more.
  test.each([
    ['90', 90, 90],
    ['in two minutes, as a date', 115, 121],
    ['0', 30, 33],
    [String(10 * 86_400), 86_400, 86_400],
  ])('Retry-After %s: one request, the slot is free, the job comes back in %i … %i s', async (asked, least, most) => {
    const { collectionNodeId, mediaNodeId } = await t.arrange(council)
    const { id } = await enqueue(t.pool, openrouterAnalyze, { mediaNodeId }, { collectionNodeId })
    const sent = t.gateway.requests.length
    const retryAfter = asked.includes('date') ? inTwoMinutes() : asked
    t.gateway.fail({ answer: { status: 429, body, headers: { 'retry-after': retryAfter, 'content-type': 'application/json' } } })
    const worker = createWorker({
      connection: t.connectionString,
      handlers: [createHandler(t.services)],
      maxConcurrent: 1,
      pollIntervalMs: 50,
    })
    await worker.start()
    try {
      await waitForJob(t.pool, id, { status: 'retry' })
      // The only slot is free at once: another job runs in it.
      const other = await enqueue(t.pool, openrouterAnalyze, { mediaNodeId }, { collectionNodeId })
      await waitForJob(t.pool, other.id, { status: 'completed' })
      const { rows } = await t.pool.query(
        `select attempts, error_msg, extract(epoch from scheduled_for - (select max(ended_at) from job_attempts where job_id = $1))::float8 as wait from job_queue where id = $1`,
        [id],
      )
      expect(rows).toEqual([{ attempts: 1, error_msg: expect.stringContaining('Rate limit reached'), wait: expect.any(Number) }])
      expect(rows[0].wait).toBeGreaterThanOrEqual(least - 0.5)
      expect(rows[0].wait).toBeLessThanOrEqual(most + 1)
      expect(t.gateway.requests).toHaveLength(sent + 2)
    } finally {
      await worker.stop()
    }
  })
})
