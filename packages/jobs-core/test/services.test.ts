import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueueByType, SnoozeError } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler, type Handler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const services = ['captions']
/** So long that whatever happens sooner does not come of it. */
const pollIntervalMs = 60_000

const add = async (type: string) => (await enqueueByType(queue.db, type, 1, { collectionNodeId: queue.collectionNodeId })).id
const addMany = (type: string, count: number) => Promise.all(Array.from({ length: count }, () => add(type)))
const sql = async <Row>(text: string, values: unknown[] = []) => (await queue.pool.query(text, values)).rows as Row[]
const open = () =>
  sql(
    `select record_service_call('captions', coalesce((select openings from service_breakers), 0), null, 'fault', 0, 'REFUSED', 'captions said no')`,
  )
const makeDue = () => sql(`update service_breakers set probe_at = clock_timestamp()`)
const breaker = async () =>
  (
    await sql<{ open: boolean; probing: boolean }>(
      `select opened_at is not null as open, probe_id is not null as probing from service_breakers`,
    )
  )[0]
const started = (ids: readonly string[]) => queue.named('job.started').filter(({ jobId }) => ids.includes(jobId)).length

/** A handler that calls the service once and, where it is not let in or the call fails, asks for its job to come back. */
function hears(call: () => Promise<'success' | 'failure'> = async () => 'success', needs: readonly string[] = services): Handler {
  return defineHandler(
    defineJob({ type: 'hears', payload: z.any() }),
    async () => {
      const [admission] = await sql<{ admitted: boolean; opening: number; probe: string }>(`select * from admit_service_call('captions')`)
      if (!admission?.admitted) throw new SnoozeError(30_000, 'captions is down')
      const verdict = await call()
      await sql(`select record_service_call('captions', $1, $2, $3)`, [admission.opening, admission.probe, verdict])
      if (verdict === 'failure') throw new SnoozeError(60_000, 'captions is down')
    },
    { services: needs },
  )
}

/** Resolves when no statement of the workers is under way and their early polls are over. */
async function untilQuiet(): Promise<void> {
  const quiet = `
    select from pg_stat_activity where datname = current_database() and application_name = 'sidelinja-jobs'
    having bool_and(state = 'idle' and state_change < clock_timestamp() - interval '350 ms')`
  while ((await sql(quiet)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

const plain = defineHandler(defineJob({ type: 'plain', payload: z.any() }), async () => {})

describe('a worker', () => {
  test('says which services its types cannot do without', async () => {
    await queue.startWorker([hears(), plain])
    expect(await sql('select types, services from job_workers')).toEqual([{ types: ['hears', 'plain'], services: { hears: services } }])
  })

  test('leaves types alone whose service is down, and goes on with the others', async () => {
    await open()
    const waiting = await addMany('hears', 3)
    await queue.startWorker([hears(), plain], { pollIntervalMs })
    for (let n = 0; n < 5; n++) await waitForJob(queue.db, await add('plain'))
    await queue.untilAsleep()
    expect(started(waiting)).toBe(0)
    expect(await sql('select distinct status, attempts, run from job_queue where job_type = $1', ['hears'])).toEqual([
      { status: 'pending', attempts: 0, run: 0 },
    ])
    expect(await queue.event('service.down')).toMatchObject({
      ...{ service: 'captions', since: expect.any(Date), error: { code: 'REFUSED', message: 'captions said no' }, jobTypes: ['hears'] },
    })
  })

  test.each(['session', 'transaction'] as const)(
    'hears when it goes down and when it is back, long before it polls: pooler %s',
    async (pooler) => {
      const first = await add('plain')
      await queue.startWorker([hears(), plain], { pollIntervalMs, pooler })
      await waitForJob(queue.db, first)
      await open()
      const down = await queue.event('service.down')
      expect(down.probeInMs).toBeGreaterThan(25_000)
      // A claim that was under way might still take them.
      await untilQuiet()
      const waiting = await addMany('hears', 3)
      // Through a transaction pooler it hears of no job and never says that it sleeps.
      if (pooler === 'session') await queue.untilAsleep()
      expect(started(waiting)).toBe(0)
      await sql(`select reset_service_breaker('captions')`)
      for (const id of waiting) expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
      expect(await queue.event('service.back')).toMatchObject({ service: 'captions', jobTypes: ['hears'], afterMs: expect.any(Number) })
      expect(queue.named('service.down')).toHaveLength(1)
      expect(queue.named('service.back')).toHaveLength(1)
    },
  )

  test('that has no such type, or one that does without, asks nothing and goes on', async () => {
    await open()
    await queue.startWorker([hears(undefined, []), plain], { pollIntervalMs })
    await waitForJob(queue.db, await add('plain'))
    // It finds out at the call.
    const id = await add('hears')
    await queue.event('job.snoozed', ({ jobId }) => jobId === id)
    expect(await queue.job(id)).toMatchObject({ status: 'pending', attempts: 0, snoozes: 1 })
    expect(queue.named('service.down')).toEqual([])
    expect(await sql('select services from job_workers')).toEqual([{ services: {} }])
  })

  test('lets what runs go on when a service goes down', async () => {
    const [calling, done] = [deferred(), deferred()]
    await queue.startWorker([
      hears(async () => {
        calling.resolve()
        await done.promise
        return 'success'
      }),
    ])
    const id = await add('hears')
    await calling.promise
    await open()
    await queue.event('service.down')
    done.resolve()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await breaker()).toMatchObject({ open: true })
  })
})

describe('when the next probe is due', () => {
  test('few jobs are claimed, one of them calls, and when it succeeds all go on at once', async () => {
    await open()
    await makeDue()
    const ids = await addMany('hears', 12)
    const [calling, done] = [deferred(), deferred()]
    let calls = 0
    const handler = hears(async () => {
      calls++
      calling.resolve()
      await done.promise
      return 'success'
    })
    for (let n = 0; n < 3; n++) await queue.startWorker([handler, plain], { pollIntervalMs, maxConcurrent: 3 })
    await calling.promise
    await queue.untilAsleep()
    expect(calls).toBe(1)
    // One of each worker at most: those that came too late were put off, uncharged.
    expect(started(ids)).toBeLessThanOrEqual(3)
    expect(await breaker()).toEqual({ open: true, probing: true })
    const putOff = await sql<{ id: string }>(`select id from job_queue where snoozes > 0 and attempts = 0 and status = 'pending'`)
    expect(putOff).toHaveLength(started(ids) - 1)
    done.resolve()
    const rest = ids.filter((id) => !putOff.some((each) => each.id === id))
    for (const id of rest) expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await breaker()).toEqual({ open: false, probing: false })
    expect(calls).toBe(rest.length)
  })

  test('and it fails, that job is put off and the others wait as before', async () => {
    await open()
    await makeDue()
    const ids = await addMany('hears', 5)
    await queue.startWorker([hears(async () => 'failure'), plain], { pollIntervalMs })
    const snoozed = await queue.event('job.snoozed')
    await waitForJob(queue.db, await add('plain'))
    await queue.untilAsleep()
    expect(started(ids)).toBe(1)
    expect(await queue.job(snoozed.jobId)).toMatchObject({ status: 'pending', attempts: 0, snoozes: 1 })
    expect(await sql(`select probes, probe_at > clock_timestamp() + interval '50 seconds' as later from service_breakers`)).toEqual([
      { probes: 1, later: true },
    ])
  })

  test('a worker whose probe was killed is followed by another', async () => {
    await open()
    await makeDue()
    await sql(`select admit_service_call('captions')`)
    const id = await add('hears')
    await queue.startWorker([hears()], { pollIntervalMs })
    await queue.event('service.down')
    await queue.untilAsleep()
    expect(started([id])).toBe(0)
    await sql('update service_breakers set probe_expires_at = clock_timestamp()')
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'completed', attempts: 1 })
    await queue.event('service.back')
  })

  test('a job that is enqueued only then is taken', async () => {
    await open()
    await makeDue()
    await queue.startWorker([hears()], { pollIntervalMs })
    await queue.event('service.down')
    await queue.untilAsleep()
    expect(await waitForJob(queue.db, await add('hears'), { timeoutMs: 20_000 })).toMatchObject({ status: 'completed', attempts: 1 })
  })
})
