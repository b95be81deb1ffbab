import { afterEach, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { upsertSchedule } from '../../src/admin/index.ts'
import { defineJob, PermanentError } from '../../src/index.ts'
import { createTestDatabase, insertNode, travel, waitForJob } from '../../src/testing/index.ts'
import { createWorker, defineHandler } from '../../src/worker/index.ts'
import { holdTransaction } from '../support/hold-lock.ts'
import { useQueue } from '../support/use-queue.ts'
import { useSchedules } from '../support/use-schedules.ts'
import { killProcesses, startProcess } from '../support/worker-process.ts'

const queue = useQueue()
const schedules = useSchedules(queue)
afterEach(killProcesses)

const periodic = defineJob({ type: 't_periodic', payload: z.any(), maxAttempts: 1 })
const every = (everySeconds: number, change: object = {}) => ({
  ...{ collectionNodeId: queue.collectionNodeId, name: 'periodic', job: periodic, payload: {}, everySeconds, ...change },
})
const ticked = () => queue.named('schedule.ticked').length
const passes = (id: string) => queue.event('job.completed', (event) => event.jobId === id)

describe('workers', () => {
  test('tick whatever types they run, also none', async () => {
    await queue.startWorker([], { pollIntervalMs: 10 })
    await upsertSchedule(queue.db, every(3_600), 'all')
    const { jobs } = await queue.event('schedule.ticked')
    expect(await queue.job(jobs[0]?.id ?? '')).toMatchObject({ job_type: 't_periodic', status: 'pending' })
  })

  test('tick to the second, one run after the other, each with its tick', async () => {
    const seen: (string | null)[] = []
    await queue.startWorker([
      defineHandler(periodic, async ({ job }) => {
        seen.push(job.correlationId)
      }),
    ])
    await upsertSchedule(queue.db, every(1), 'all')
    await queue.event('schedule.ticked', () => ticked() === 3)
    const ats = queue.named('schedule.ticked').flatMap(({ jobs }) => jobs)
    for (const { id } of ats) await passes(id)
    expect(new Set(seen).size).toBe(3)
    expect(ats.map(({ at }) => at.getTime() - (ats[0]?.at.getTime() ?? 0))).toEqual([0, 1_000, 2_000])
  })

  test('go on after a run that ended in error for good', async () => {
    await queue.startWorker(
      [
        defineHandler(periodic, async () => {
          throw new PermanentError('NO', 'never')
        }),
      ],
      { pollIntervalMs: 20 },
    )
    await upsertSchedule(queue.db, every(3_600), 'all')
    for (let round = 1; round <= 3; round++) {
      await queue.event('job.failed', () => queue.named('job.failed').filter(({ final }) => final).length === round)
      await travel(queue.db, { hours: 1 })
    }
    await queue.event('schedule.ticked', () => ticked() >= 3)
  })

  test('that are stopped make up for the last tick when they are back', async () => {
    const first = await queue.startWorker([defineHandler(periodic, async () => {})], { pollIntervalMs: 20 })
    await upsertSchedule(queue.db, every(3_600), 'all')
    await passes((await queue.event('schedule.ticked')).jobs[0]?.id ?? '')
    await first.stop()
    await travel(queue.db, { hours: 7, minutes: 30 })
    await queue.startWorker([defineHandler(periodic, async () => {})], { pollIntervalMs: 20 })
    const { jobs, skipped } = await queue.event('schedule.ticked', () => ticked() === 2)
    expect(jobs).toHaveLength(1)
    expect(skipped).toBe(6)
  })

  test('whose own clock is an hour wrong tick by the database', async () => {
    const worker = await startProcess(queue.connectionString, { pollIntervalMs: 20, clockShiftMs: 3_600_000 })
    const behind = await startProcess(queue.connectionString, { pollIntervalMs: 20, clockShiftMs: -3_600_000 })
    const later = await schedules.insert({ job_type: 't_later', starts_at: await schedules.inMs(1_800_000) })
    const aMinuteAgo = await schedules.inMs(-60_000)
    const now = await schedules.insert({ job_type: 't_now', cron: '* * * * *', starts_at: aMinuteAgo, counts_from: aMinuteAgo })
    await Promise.race([worker, behind].map(({ event }) => event('schedule.ticked')))
    expect(await schedules.jobs('t_now')).toHaveLength(1)
    expect(await schedules.jobs('t_later')).toEqual([])
    const nextAt = (await schedules.row(now.id)).next_at?.getTime() ?? 0
    expect(nextAt - (await schedules.inMs(0)).getTime()).toBeLessThanOrEqual(60_000)
    expect((await schedules.row(later.id)).last_tick_at).toBeNull()
  })
})

// Two web applications that say what they want, and two workers that have just started: twenty times, and each time from nothing.
test('started together, two and two, twenty times: one waiting job per collection and tick', { timeout: 60_000 }, async () => {
  const events: string[] = []
  for (let round = 0; round < 20; round++) {
    const { id: collectionNodeId } = await insertNode(queue.db)
    const schedule = every(3_600, { collectionNodeId, unique: { key: 'the-log' } })
    const workers = [1, 2].map(() =>
      createWorker({
        ...{ connection: queue.connectionString, handlers: [], pollIntervalMs: 10 },
        onEvent: (event) => void (event.name === 'schedule.ticked' && events.push(event.collectionNodeId)),
      }),
    )
    const webs = [1, 2].map(() => upsertSchedule(queue.pool, schedule, 'all'))
    await Promise.all([...webs, ...workers.map((worker) => worker.start())])
    while (!events.includes(collectionNodeId)) await new Promise((resolve) => setTimeout(resolve, 5))
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await schedules.look()).toMatchObject({ created: 0, events: [] })
    const { rows } = await queue.pool.query('select status, unique_key from job_queue where collection_node_id = $1', [collectionNodeId])
    expect(rows).toEqual([{ status: 'pending', unique_key: 'the-log' }])
  }
  expect(new Set(events).size).toBe(20)
  expect(events).toHaveLength(20)
})

describe('kill -9', () => {
  /** A tick's transaction stops where the trigger waits, with its job inserted and nothing committed. */
  const stopInside = `
    create or replace function wait_here() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger wait_here before insert on job_schedule_ticks for each row execute function wait_here()`
  const insideTick = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%tick_job_schedule%'`
  const untilInside = async () => {
    for (;;) {
      const { rows } = await queue.pool.query(insideTick)
      if (rows[0]) return rows[0].pid as number
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  afterEach(() => queue.pool.query('drop function if exists wait_here() cascade'))

  test.each([
    ['the server finishes what it was told', false],
    ['the connection dies with the process', true],
  ])('inside a tick, and %s: it happens once', async (_name, terminated) => {
    await queue.pool.query(stopInside)
    const held = await holdTransaction(queue.pool, 'select pg_advisory_xact_lock(1)')
    // The lock of the tick must outlast the process, which would not wait so long.
    await queue.pool.query(`alter function tick_job_schedule set lock_timeout to '20s'`)
    try {
      const worker = await startProcess(queue.connectionString, { pollIntervalMs: 20 })
      const { id } = await schedules.insert({ job_type: 't_periodic' })
      const pid = await untilInside()
      worker.signal('SIGKILL')
      await worker.ended
      if (terminated) await queue.pool.query('select pg_terminate_backend($1)', [pid])
      await queue.startWorker([], { pollIntervalMs: 20 })
      await held.commit()
      while ((await schedules.ticks(id)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      await schedules.look()
      expect(await schedules.ticks(id)).toHaveLength(1)
      expect(await schedules.jobs('t_periodic')).toHaveLength(1)
    } finally {
      await queue.pool.query(`alter function tick_job_schedule set lock_timeout to '500ms'`)
    }
  })

  test('between a run and the next tick, and in the middle of a run: the series goes on', async () => {
    const options = { leaseMs: 1_000, pollIntervalMs: 50 }
    const schedule = { ...every(3_600), job: 't_wait', unique: { until: 'claimed' as const } }
    await upsertSchedule(queue.db, schedule, 'all')
    const first = await startProcess(queue.connectionString, options)
    first.tell('ok')
    await first.event('job.completed')
    first.signal('SIGKILL')
    await first.ended
    await travel(queue.db, { hours: 1 })

    const second = await startProcess(queue.connectionString, options)
    await second.event('job.started')
    second.signal('SIGKILL')
    await second.ended
    await travel(queue.db, { hours: 1 })

    const third = await startProcess(queue.connectionString, options)
    await third.event('schedule.ticked')
    third.tell('ok')
    third.tell('ok')
    const all = await schedules.jobs('t_wait')
    expect(all).toHaveLength(3)
    for (const { id } of all) expect((await waitForJob(queue.db, id, { timeoutMs: 20_000 })).status).toBe('completed')
  })

  test('of workers again and again, each second one tick: every tick is there once', { timeout: 60_000 }, async () => {
    const { id } = await schedules.insert({ job_type: 't_periodic', every_seconds: 1, misfire: 'all', unique_until: null })
    let worker = await startProcess(queue.connectionString, { pollIntervalMs: 10 })
    const other = await startProcess(queue.connectionString, { pollIntervalMs: 10 })
    for (let kills = 0; kills < 4; kills++) {
      const before = (await schedules.ticks(id)).length
      while ((await schedules.ticks(id)).length === before) await new Promise((resolve) => setTimeout(resolve, 1))
      worker.signal('SIGKILL')
      await worker.ended
      worker = await startProcess(queue.connectionString, { pollIntervalMs: 10 })
    }
    for (const process of [worker, other]) process.signal('SIGKILL')
    await Promise.all([worker.ended, other.ended])
    const { starts_at, next_at } = await schedules.row(id)
    const seconds = ((next_at?.getTime() ?? 0) - starts_at.getTime()) / 1_000
    const expected = Array.from({ length: seconds }, (_, n) => new Date(starts_at.getTime() + n * 1_000))
    expect((await schedules.ticks(id)).map(({ tick_at }) => tick_at)).toEqual(expected)
    expect((await schedules.jobs('t_periodic')).map(({ scheduled_for }) => scheduled_for)).toEqual(expected)
  })
})

test('schedules that cannot be looked for are told of once, and looked for again', async () => {
  await queue.startWorker([], { pollIntervalMs: 10 })
  await queue.pool.query('alter table job_schedules rename to job_schedules_away')
  try {
    expect(await queue.event('schedules.failing')).toMatchObject({ error: { code: '42P01' } })
    // Some ten looks.
    await queue.pool.query('select pg_sleep(0.5)')
  } finally {
    await queue.pool.query('alter table job_schedules_away rename to job_schedules')
  }
  expect(queue.named('schedules.failing')).toHaveLength(1)
  expect(queue.named('database.lost')).toEqual([])
  await upsertSchedule(queue.db, every(3_600), 'all')
  await queue.event('schedule.ticked')
})

test.each([
  ['a few of its tables', 'create table job_queue (id uuid); create table job_workers (id uuid)'],
  ['all but the newest column', undefined],
])('a database of an older release is refused at the start: %s', async (_name, tables) => {
  await using database = await createTestDatabase(tables ? { connectionString: queue.database.connectionString } : inject('server'))
  await database.pool.query(tables ?? 'alter table job_workers drop column wake_mode')
  const worker = createWorker({ connection: database.connectionString, handlers: [] })
  await expect(worker.start()).rejects.toMatchObject({ code: 'SCHEMA_MISSING' })
  await worker.stop()
})
