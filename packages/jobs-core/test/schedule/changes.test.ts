import { describe, expect, test } from 'vitest'
import { tickSchedule } from '../../src/queue/tick-schedule.ts'
import { useQueue } from '../support/use-queue.ts'
import { useSchedules } from '../support/use-schedules.ts'

const queue = useQueue()
const schedules = useSchedules(queue)
const hourMs = 3_600_000
const set = (id: string, columns: string) => queue.pool.query(`update job_schedules set ${columns} where id = $1`, [id])

describe('a change', () => {
  test('of the timing starts anew from then on; of anything else leaves the next tick', async () => {
    const { id } = await schedules.insert({ every_seconds: 7_200 })
    await schedules.look()
    const { next_at } = await schedules.row(id)
    await set(id, `payload = '2', priority = 3, misfire = 'skip', name = 'another'`)
    expect(await schedules.row(id)).toMatchObject({ next_at, payload: 2 })
    await set(id, 'every_seconds = 3600')
    expect(await schedules.row(id)).toMatchObject({ next_at: null })
    expect((await schedules.look()).created).toBe(0)
    expect((await schedules.row(id)).next_at).toEqual(new Date((next_at?.getTime() ?? 0) - hourMs))
  })

  test('that comes between the look and the tick makes that tick void', async () => {
    const { id, revision } = await schedules.insert()
    await set(id, 'every_seconds = 60')
    const at = await schedules.inMs(0)
    expect(await tickSchedule(schedules.connection, { id, revision, ticks: [at], nextAt: at })).toBeUndefined()
    expect(await schedules.row(id)).toMatchObject({ next_at: null, last_tick_at: null })
  })

  test('that makes no sense stops the schedule, which is told once; the next change starts it again', async () => {
    const { id } = await schedules.insert({ cron: 'every morning' })
    const other = await schedules.insert({ time_zone: 'Europe/Nowhere' })
    const { events } = await schedules.look()
    expect(events).toMatchObject([
      { name: 'schedule.failed', stopped: true, error: { code: 'CRON_INVALID' } },
      { name: 'schedule.failed', stopped: true, error: { code: 'TIME_ZONE_UNKNOWN' } },
    ])
    expect((await schedules.row(id)).error_msg).toContain('"every morning" is not valid')
    expect(await schedules.look()).toMatchObject({ events: [], nextInMs: null })
    await set(id, `cron = '0 3 * * *'`)
    await set(other.id, `time_zone = 'UTC'`)
    expect(await schedules.look()).toMatchObject({ events: [], nextInMs: expect.any(Number) })
    for (const one of [id, other.id]) expect(await schedules.row(one)).toMatchObject({ error_msg: null, next_at: expect.any(Date) })
  })

  test.each([
    ['no timing', 'every_seconds = null', 'job_schedules_one_timing'],
    ['two timings', `cron = '@daily'`, 'job_schedules_one_timing'],
    ['a short interval', 'every_seconds = 0', 'every_seconds'],
    ['a long cron text', `every_seconds = null, cron = repeat('0,', 60)`, 'cron'],
    ['all, with one waiting', `misfire = 'all'`, 'job_schedules_all_not_unique'],
    ['a payload of 200 kB', `payload = to_jsonb(repeat('x', 200000))`, 'payload_size'],
    ['no end of time', `starts_at = 'infinity'`, 'starts_at'],
    ['another name twice', `name = 'taken'`, 'job_schedules_name'],
  ])('is refused by the table: %s', async (_name, change, constraint) => {
    await schedules.insert({ name: 'taken' })
    const { id } = await schedules.insert()
    await expect(set(id, change)).rejects.toMatchObject({ constraint: expect.stringContaining(constraint) })
  })
})
