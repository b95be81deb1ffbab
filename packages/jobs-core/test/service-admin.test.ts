import { CamelCasePlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { explainJob, listServiceBreakers, pauseJobs, resetServiceBreaker } from '../src/admin/index.ts'
import { insertJob, insertWorker, travel } from '../src/testing/index.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const run = (text: string, values: unknown[] = []) => queue.pool.query(text, values)
const open = (service = 'captions') =>
  run(`select record_service_call($1, 0, null, 'fault', 0, 'UPSTREAM_UNAUTHORIZED', 'captions answered 401.', 401)`, [service])
const job = (columns: Parameters<typeof insertJob>[1] = {}) =>
  insertJob(queue.db, { collection_node_id: queue.collectionNodeId, job_type: 'hears', ...columns })
const worker = (columns: Parameters<typeof insertWorker>[1] = {}) =>
  insertWorker(queue.db, { types: ['hears', 'plain'], services: JSON.stringify({ hears: ['captions'] }), ...columns })
const reasons = async (id: string) => (await explainJob(queue.db, id, 'all')).reasons

describe('explainJob', () => {
  test('names the service that a waiting job needs, while it is down', async () => {
    const { id } = await job()
    await worker()
    expect(await reasons(id)).toMatchObject([{ code: 'NEXT_POLL' }])
    await open()
    expect(await reasons(id)).toEqual([
      {
        code: 'SERVICE_DOWN',
        sentence: expect.stringMatching(
          /^The service captions, which it needs, has been down since .* It failed with: captions answered 401\. In (29|30) s, at /,
        ),
        facts: {
          ...{ service: 'captions', since: expect.any(String), errorCode: 'UPSTREAM_UNAUTHORIZED', httpStatus: 401 },
          ...{ error: 'captions answered 401.', probeAt: expect.any(String), probing: false },
        },
      },
    ])
    await run('update service_breakers set probe_at = clock_timestamp()')
    await run(`select admit_service_call('captions')`)
    expect((await reasons(id))[0]).toMatchObject({ facts: { probing: true } })
    await resetServiceBreaker(queue.db, 'captions')
    expect(await reasons(id)).toMatchObject([{ code: 'NEXT_POLL' }])
  })

  test('asks the workers that could take it which services it needs', async () => {
    await open()
    const { id } = await job()
    await worker({ dead_at: new Date(), lease_expires_at: new Date() })
    await worker({ draining: true })
    expect(await reasons(id)).toMatchObject([{ code: 'WORKERS_DRAINING' }])
    await worker({ services: JSON.stringify({ plain: ['captions'], hears: ['gateway'] }) })
    expect(await reasons(id)).toMatchObject([{ code: 'NEXT_POLL' }])
    for (let n = 0; n < 2; n++) await worker()
    expect(await reasons(id)).toMatchObject([{ code: 'SERVICE_DOWN' }])
  })

  test('does not count among the jobs ahead what waits for a service', async () => {
    await open()
    await worker()
    for (let n = 0; n < 3; n++) await job({ priority: 9 })
    await job({ priority: 9, job_type: 'plain' })
    const { id } = await job({ job_type: 'plain' })
    expect(await reasons(id)).toMatchObject([{ code: 'JOBS_AHEAD', facts: { jobs: 1, more: false } }])
  })

  test('tells a pause first', async () => {
    await open()
    await worker()
    const { id } = await job()
    await pauseJobs(queue.db, { type: 'hears' }, 'all')
    expect((await reasons(id)).map(({ code }) => code)).toEqual(['PAUSED', 'SERVICE_DOWN'])
  })
})

describe('listServiceBreakers', () => {
  test('tells of each service what all workers know, on whatever connection', async () => {
    expect(await listServiceBreakers(queue.db)).toEqual([])
    await run(`select record_service_call('gateway', 0, null, 'failure', 0, 'UPSTREAM_UNREACHABLE', 'no answer')`)
    await open()
    const gateway = {
      ...{ service: 'gateway', state: 'closed', since: null, probeAt: null, probes: 0, failures: 1, openings: 0 },
      ...{ failedAt: expect.any(Date), errorCode: 'UPSTREAM_UNREACHABLE', httpStatus: null },
    }
    const captions = {
      ...{ service: 'captions', state: 'open', since: expect.any(Date), probeAt: expect.any(Date), probes: 0, failures: 1, openings: 1 },
      ...{ failedAt: expect.any(Date), errorCode: 'UPSTREAM_UNAUTHORIZED', httpStatus: 401 },
    }
    for (const db of [queue.db, queue.pool, queue.db.withPlugin(new CamelCasePlugin())]) {
      expect(await listServiceBreakers(db)).toEqual([captions, gateway])
    }
    expect(await listServiceBreakers(queue.db, { withErrors: true })).toEqual([
      { ...captions, error: 'captions answered 401.' },
      { ...gateway, error: 'no answer' },
    ])
    await travel(queue.db, { minutes: 1 })
    await run(`select admit_service_call('captions')`)
    expect(await listServiceBreakers(queue.db)).toMatchObject([{ state: 'probing' }, { state: 'closed' }])
  })
})

describe('resetServiceBreaker', () => {
  test('closes it and forgets its failures; of one that is not down, or not known, it says so', async () => {
    expect(await resetServiceBreaker(queue.db, 'captions')).toBe(false)
    await open()
    expect(await resetServiceBreaker(queue.pool, 'captions')).toBe(true)
    expect(await resetServiceBreaker(queue.db, 'captions')).toBe(false)
    expect(await listServiceBreakers(queue.db)).toMatchObject([{ state: 'closed', failures: 0, openings: 1, probes: 0, since: null }])
    await run(`select record_service_call('captions', 1, null, 'failure')`)
    expect(await resetServiceBreaker(queue.db, 'captions')).toBe(false)
    expect(await listServiceBreakers(queue.db)).toMatchObject([{ failures: 0 }])
  })

  test('makes jobs due that were put off for it, and no others', async () => {
    await open()
    await worker()
    const later = new Date(Date.now() + 600_000)
    const putOff = { snoozes: 1, run: 1, started_at: new Date(), scheduled_for: later }
    const note = (id: string, code: string) =>
      run(`insert into job_attempts (job_id, run, attempt, end_reason, error_code) values ($1, 1, 1, 'snoozed', $2)`, [id, code])
    const captions = await job(putOff)
    const plain = await job({ ...putOff, job_type: 'plain' })
    const asked = await job(putOff)
    const scheduled = await job({ scheduled_for: later })
    for (const { id } of [captions, plain]) await note(id, 'SERVICE_DOWN')
    await note(asked.id, 'SNOOZED')
    await resetServiceBreaker(queue.db, 'captions')
    expect(await queue.dueInMs(captions.id)).toBeLessThanOrEqual(0)
    for (const { id } of [plain, asked, scheduled]) expect(await queue.dueInMs(id)).toBeGreaterThan(500_000)
  })
})
