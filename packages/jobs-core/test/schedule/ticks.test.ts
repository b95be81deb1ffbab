import { describe, expect, test } from 'vitest'
import { findDueSchedules } from '../../src/queue/find-due-schedules.ts'
import { tickSchedule } from '../../src/queue/tick-schedule.ts'
import { holdTransaction, untilSomebodyWaits } from '../support/hold-lock.ts'
import { useQueue } from '../support/use-queue.ts'
import { useSchedules } from '../support/use-schedules.ts'

const queue = useQueue()
const schedules = useSchedules(queue)
const hourMs = 3_600_000
const set = (id: string, columns: string) => queue.pool.query(`update job_schedules set ${columns} where id = $1`, [id])

describe('a tick', () => {
  test('of a row that psql has inserted enqueues its job, and waits for the next', async () => {
    const { rows } = await queue.pool.query(
      `insert into job_schedules (collection_node_id, name, job_type, payload, every_seconds, priority, max_attempts)
       values ($1, 'hourly', 'test_job', '{"a": 1}', 3600, 7, 5) returning id, starts_at`,
      [queue.collectionNodeId],
    )
    const [{ id, starts_at }] = rows
    const { events, nextInMs, created } = await schedules.look()
    const [job, ...others] = await schedules.jobs('test_job')
    expect(others).toEqual([])
    expect(job).toMatchObject({
      ...{ collection_node_id: queue.collectionNodeId, payload: { a: 1 }, status: 'pending', priority: 7, max_attempts: 5 },
      ...{ scheduled_for: starts_at, unique_key: 'schedule:hourly', unique_until: 'claimed', unique_held: true },
      correlation_id: `hourly@${starts_at.toISOString().slice(0, 19)}Z`,
    })
    expect(created).toBe(1)
    expect(nextInMs).toBeGreaterThan(hourMs - 60_000)
    expect(await schedules.row(id)).toMatchObject({
      next_at: new Date(starts_at.getTime() + hourMs),
      ...{ last_tick_at: starts_at, last_job_id: job?.id, error_msg: null },
    })
    expect(await schedules.ticks(id)).toMatchObject([{ tick_at: starts_at, job_id: job?.id, outcome: 'created' }])
    expect(events).toEqual([
      {
        name: 'schedule.ticked',
        ...{ scheduleId: id, schedule: 'hourly', scheduledType: 'test_job', collectionNodeId: queue.collectionNodeId },
        ...{ jobs: [{ at: starts_at, id: job?.id, outcome: 'created' }], skipped: 0 },
      },
    ])
    expect((await schedules.look()).events).toEqual([])
  })

  test('of a cron text is first computed, then waited for', async () => {
    const { id } = await schedules.insert({ cron: '0 3 * * *', time_zone: 'Europe/Oslo' })
    const { created, nextInMs } = await schedules.look()
    expect(created).toBe(0)
    expect(nextInMs).toBeGreaterThan(0)
    const nextAt = (await schedules.row(id)).next_at
    expect(new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Oslo', timeStyle: 'medium' }).format(nextAt ?? 0)).toBe('03:00:00')
  })

  test('happens once, however many workers see it at the same time: twenty times four', async () => {
    for (let round = 0; round < 20; round++) {
      const { id, revision } = await schedules.insert({ unique_until: null })
      const at = await schedules.inMs(0)
      const tick = { id, revision, ticks: [at], nextAt: new Date(at.getTime() + hourMs) }
      const ticked = await Promise.all([1, 2, 3, 4].map(() => tickSchedule(schedules.connection, tick)))
      expect(ticked.filter((one) => one !== undefined)).toHaveLength(1)
      expect(ticked.flat().filter((one) => one !== undefined)).toHaveLength(1)
      expect(await schedules.ticks(id)).toHaveLength(1)
    }
    expect(await schedules.jobs('test_job')).toHaveLength(20)
  })

  test('does not come again when somebody sets the schedule back: the belt', async () => {
    const { id } = await schedules.insert({ unique_until: null })
    await schedules.look()
    const { last_tick_at, next_at } = await schedules.row(id)
    await set(id, `next_at = last_tick_at`)
    expect((await schedules.look()).created).toBe(0)
    expect(await schedules.row(id)).toMatchObject({ last_tick_at, next_at })
    expect(await schedules.jobs('test_job')).toHaveLength(1)
  })

  test('set for now by hand comes between the others', async () => {
    const { id, starts_at } = await schedules.insert({ unique_until: null })
    await schedules.look()
    await set(id, 'next_at = clock_timestamp()')
    expect((await schedules.look()).created).toBe(1)
    expect((await schedules.row(id)).next_at).toEqual(new Date(starts_at.getTime() + hourMs))
  })

  test('finds a job that waits already, and leaves it: one waiting', async () => {
    const { id } = await schedules.insert({ unique_key: 'mine' })
    await schedules.look()
    await set(id, 'next_at = clock_timestamp()')
    const { events, created } = await schedules.look()
    expect(created).toBe(0)
    const [job, ...others] = await schedules.jobs('test_job')
    expect(others).toEqual([])
    expect(events).toMatchObject([{ name: 'schedule.ticked', jobs: [{ id: job?.id, outcome: 'kept' }] }])
    expect((await schedules.ticks(id)).map(({ outcome }) => outcome)).toEqual(['created', 'kept'])
    expect(job).toMatchObject({ unique_key: 'mine' })
  })
})

describe('ticks that nobody saw', () => {
  const past = (n: number) => schedules.inMs(-n * hourMs - 120_000)

  test.each([
    ['skip', 'claimed', []],
    ['last', 'claimed', [0]],
    ['all', null, [3, 2, 1, 0]],
  ] as const)('%s: each job says which tick it is for', async (misfire, unique_until, hoursAgo) => {
    const starts_at = await past(3)
    const { id } = await schedules.insert({ misfire, unique_until, starts_at, counts_from: starts_at })
    const { events } = await schedules.look()
    const jobs = await schedules.jobs('test_job')
    const expected = hoursAgo.map((ago) => new Date(starts_at.getTime() + (3 - ago) * hourMs))
    expect(jobs.map((job) => job.scheduled_for)).toEqual(expected)
    expect(jobs.every(({ created_at, scheduled_for }) => scheduled_for < created_at)).toBe(true)
    expect(events).toMatchObject([{ name: 'schedule.ticked', skipped: 4 - expected.length }])
    expect((await schedules.row(id)).next_at).toEqual(new Date(starts_at.getTime() + 4 * hourMs))
    expect((await schedules.look()).created).toBe(0)
  })

  test('all is bounded, and so is the history of ticks', async () => {
    const starts_at = await past(250)
    const { id } = await schedules.insert({ misfire: 'all', unique_until: null, starts_at, counts_from: starts_at })
    expect((await schedules.look()).created).toBe(100)
    await set(id, `next_at = clock_timestamp()`)
    expect((await schedules.look()).created).toBe(1)
    const ticks = await schedules.ticks(id)
    expect(ticks).toHaveLength(100)
    expect(ticks.at(-1)?.job_id).toBe((await schedules.jobs('test_job')).at(-1)?.id)
  })

  test('that passed while a schedule was disabled are gone', async () => {
    const starts_at = await past(3)
    const { id } = await schedules.insert({ misfire: 'last', starts_at, counts_from: starts_at, enabled: false })
    expect(await schedules.look()).toMatchObject({ created: 0, nextInMs: null })
    await set(id, 'enabled = true')
    expect((await schedules.look()).created).toBe(0)
    expect((await schedules.row(id)).next_at).toEqual(new Date(starts_at.getTime() + 4 * hourMs))
  })
})

describe('somebody in the way', () => {
  test('holds the unique key in an open transaction: the tick gives way, others do not wait, and it comes later', async () => {
    const { id } = await schedules.insert({ unique_key: 'k' })
    await schedules.insert({ unique_key: 'free' })
    const held = await holdTransaction(queue.pool, `select from enqueue_job($1, 'test_job', '{}', unique_key => 'k')`, [
      queue.collectionNodeId,
    ])
    const askedAt = performance.now()
    expect(await schedules.look()).toMatchObject({ created: 1 })
    // Not for as long as a statement may take.
    expect(performance.now() - askedAt).toBeLessThan(10_000)
    expect(await schedules.row(id)).toMatchObject({ next_at: null })
    await held.rollback()
    expect(await schedules.look()).toMatchObject({ created: 1 })
  })

  test('deletes the collection: no deadlock, whoever is first', async () => {
    const { rows } = await queue.pool.query(`insert into nodes (kind) values ('collection') returning id`)
    const { id } = await schedules.insert({ collection_node_id: rows[0].id })
    const deleting = await holdTransaction(queue.pool, 'delete from nodes where id = $1', [rows[0].id])
    expect(await schedules.look()).toMatchObject({ created: 0, events: [] })
    await deleting.rollback()
    // The tick has its locks and stops before its job is there; then the delete comes.
    await queue.pool.query(`
      alter function tick_job_schedule set lock_timeout to '20s';
      create function wait_here() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(2); return new; end $$;
      create trigger wait_here before insert on job_queue for each row execute function wait_here()`)
    const held = await holdTransaction(queue.pool, 'select pg_advisory_xact_lock(2)')
    const looking = schedules.look()
    await untilSomebodyWaits(queue.pool)
    const deleted = queue.pool.query('delete from nodes where id = $1', [rows[0].id])
    await untilSomebodyWaits(queue.pool, 2)
    await held.commit()
    expect(await looking).toMatchObject({ created: 1 })
    await deleted
    await queue.pool.query(`drop function wait_here() cascade; alter function tick_job_schedule set lock_timeout to '500ms'`)
    expect(await schedules.ticks(id)).toEqual([])
  })

  test('refuses the job: it is told, tried again, and holds up no other schedule', async () => {
    await queue.pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not here'; end $$;
      create trigger refuse before insert on job_queue for each row when (new.job_type = 'refused') execute function refuse()`)
    const { id } = await schedules.insert({
      job_type: 'refused',
      counts_from: await schedules.inMs(-1_000),
      starts_at: await schedules.inMs(-1_000),
    })
    await schedules.insert()
    const { events, created } = await schedules.look()
    expect(created).toBe(1)
    expect(events.find(({ name }) => name === 'schedule.failed')).toMatchObject({ stopped: false, error: { message: 'not here' } })
    await queue.pool.query('drop function refuse() cascade')
    expect(await schedules.row(id)).toMatchObject({ error_msg: null, next_at: null })
    expect((await schedules.look()).created).toBe(1)
  })
})

describe('with a hundred thousand schedules', () => {
  test('a look that finds none reads one index, and so does one that finds some', { timeout: 60_000 }, async () => {
    await queue.pool.query(
      `insert into job_schedules (collection_node_id, name, job_type, every_seconds, next_at)
       select $1, 'n' || n, 'test_job', 60, now() + interval '1 hour' from generate_series(1, 100000) n`,
      [queue.collectionNodeId],
    )
    await queue.pool.query('analyze job_schedules')
    expect(await schedules.look()).toMatchObject({ created: 0, nextInMs: expect.any(Number) })
    let plan = ''
    const explaining = {
      run: async (query: { text: string; values: readonly unknown[] }) => {
        plan = JSON.stringify((await queue.pool.query(`explain (format json) ${query.text}`, [...query.values])).rows)
        return []
      },
      close: async () => {},
    }
    await findDueSchedules(explaining, [], 100)
    expect(plan.match(/job_schedules_due/g)).toHaveLength(2)
    expect(plan).not.toMatch(/Seq Scan|"Sort"|Bitmap/)
  })
})
