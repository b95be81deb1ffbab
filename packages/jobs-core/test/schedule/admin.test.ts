import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { deleteSchedule, getSchedule, listSchedules, type ScheduleOptions, upsertSchedule } from '../../src/admin/index.ts'
import { defineJob } from '../../src/index.ts'
import { insertNode } from '../../src/testing/index.ts'
import { useQueue } from '../support/use-queue.ts'
import { useSchedules } from '../support/use-schedules.ts'

const queue = useQueue()
const schedules = useSchedules(queue)
const report = defineJob({ type: 'report', payload: z.object({ pages: z.number() }), priority: 5, maxAttempts: 7 })
const nightly = (change: object = {}) => ({
  ...{ collectionNodeId: queue.collectionNodeId, name: 'nightly', job: report, payload: { pages: 3 } },
  ...{ cron: '0 3 * * *', timeZone: 'Europe/Oslo', ...change },
})
const read = () => getSchedule(queue.db, nightly(), 'all')

describe('upsertSchedule', () => {
  test("makes a schedule with the definition's defaults", async () => {
    const { id } = await upsertSchedule(queue.db, nightly(), 'all')
    expect(await read()).toMatchObject({
      ...{ id, collection_node_id: queue.collectionNodeId, name: 'nightly', job_type: 'report', payload: { pages: 3 } },
      ...{ cron: '0 3 * * *', every_seconds: null, time_zone: 'Europe/Oslo', priority: 5, max_attempts: 7 },
      ...{ unique_until: 'claimed', unique_key: null, misfire: 'last', enabled: true, next_at: null, error_msg: null },
    })
  })

  test('said again changes nothing but its revision, in however many processes; it is one schedule', async () => {
    const [first] = await Promise.all([1, 2, 3, 4].map(() => upsertSchedule(queue.pool, nightly(), 'all')))
    await schedules.look()
    const before = await read()
    expect(await upsertSchedule(queue.db, nightly(), 'all')).toEqual(first)
    expect(await read()).toEqual({ ...before, revision: before.revision + 1 })
    expect(await listSchedules(queue.db, 'all')).toHaveLength(1)
  })

  test('makes it what is said now: what is left out is the default again, but for enabled and startsAt', async () => {
    const startsAt = new Date('2030-01-01T00:00Z')
    await upsertSchedule(
      queue.db,
      nightly({ startsAt, enabled: false, priority: 9, misfire: 'skip', unique: { key: 'k', until: 'finished' } }),
      'all',
    )
    expect(await read()).toMatchObject({
      starts_at: startsAt,
      enabled: false,
      priority: 9,
      misfire: 'skip',
      unique_key: 'k',
      unique_until: 'finished',
    })
    await upsertSchedule(queue.db, nightly({ cron: undefined, everySeconds: 60, job: 'another_type', payload: [1] }), 'all')
    expect(await read()).toMatchObject({
      ...{ cron: null, every_seconds: 60, job_type: 'another_type', payload: [1], priority: 0, max_attempts: 3 },
      ...{ starts_at: startsAt, enabled: false, misfire: 'last', unique_key: null, unique_until: 'claimed' },
    })
  })

  test('in a transaction that is rolled back makes none', async () => {
    const rolledBack = queue.db.transaction().execute(async (trx) => {
      await upsertSchedule(trx, nightly(), 'all')
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    expect(await listSchedules(queue.db, 'all')).toEqual([])
  })

  test.each([
    ['a payload that does not fit', { payload: {} }, 'PAYLOAD_INVALID', /^upsertSchedule\(nightly\): the payload/],
    ['a payload that is no JSON', { job: 'some_type', payload: { at: undefined, big: 1n } }, 'PAYLOAD_NOT_JSON', /nightly/],
    ['a type that is none', { job: 'Some Type' }, 'JOB_TYPE_INVALID', /^upsertSchedule\(nightly\)/],
    ['a priority', { priority: 1.5 }, 'OPTION_INVALID', /priority/],
    ['a key', { unique: { key: '' } }, 'OPTION_INVALID', /unique.key/],
    ['an until', { unique: { until: 'ever' } }, 'OPTION_INVALID', /unique.until/],
    ['a collection', { collectionNodeId: 'here' }, 'OPTION_INVALID', /collectionNodeId/],
    ['a name', { name: '' }, 'SCHEDULE_INVALID', /name must be a text of 1 to 100/],
    ['a long name', { name: 'x'.repeat(101) }, 'SCHEDULE_INVALID', /name/],
    ['an option', { timezone: 'UTC' }, 'SCHEDULE_INVALID', /no option "timezone"; did you mean timeZone\?/],
    ['a misfire', { misfire: 'some' }, 'SCHEDULE_INVALID', /skip, last, all/],
    ['all, with one waiting', { misfire: 'all', unique: { key: 'k' } }, 'SCHEDULE_INVALID', /unique: false/],
    ['unique', { unique: 'k' }, 'SCHEDULE_INVALID', /unique must be false or an object/],
    ['enabled', { enabled: 1 }, 'SCHEDULE_INVALID', /enabled/],
    ['a cron text', { cron: 'daily' }, 'CRON_INVALID', /^upsertSchedule\(nightly\): the cron text "daily"/],
    ['two timings', { everySeconds: 5 }, 'SCHEDULE_INVALID', /both/],
    ['a zone', { timeZone: 'Oslo' }, 'TIME_ZONE_UNKNOWN', /Europe\/Oslo/],
  ])('refuses before any SQL: %s', async (_name, change, code, message) => {
    const query = () => Promise.reject(new Error('no SQL expected'))
    await expect(upsertSchedule({ query }, nightly(change) as ScheduleOptions, 'all')).rejects.toMatchObject({
      ...{ code, kind: 'permanent', message: expect.stringMatching(message) },
    })
  })

  test('all makes every tick a job of its own', async () => {
    await upsertSchedule(queue.db, nightly({ misfire: 'all' }), 'all')
    expect(await read()).toMatchObject({ misfire: 'all', unique_until: null })
  })

  test("checks the payload's type", () => {
    expectTypeOf<ScheduleOptions<{ pages: number }>['payload']>().toEqualTypeOf<{ pages: number }>()
    // @ts-expect-error: pages must be a number
    void (() => upsertSchedule(queue.db, { ...nightly(), job: report, payload: { pages: 'three' } }, 'all'))
    // @ts-expect-error: the scope must be named
    void (() => upsertSchedule(queue.db, nightly()))
  })
})

describe('scope', () => {
  test('what it does not name cannot be made, seen or deleted', async () => {
    const { id: foreign } = await insertNode(queue.db)
    await upsertSchedule(queue.db, nightly({ collectionNodeId: foreign }), 'all')
    await upsertSchedule(queue.db, nightly(), 'all')
    const scope = { collectionNodeIds: [queue.collectionNodeId] }
    const key = { collectionNodeId: foreign, name: 'nightly' }
    expect(await listSchedules(queue.db, scope)).toMatchObject([{ collection_node_id: queue.collectionNodeId }])
    await expect(getSchedule(queue.db, key, scope)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND', kind: 'queue' })
    await expect(deleteSchedule(queue.db, key, scope)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' })
    await expect(upsertSchedule(queue.db, nightly({ collectionNodeId: foreign, payload: { pages: 4 } }), scope)).rejects.toMatchObject({
      code: 'COLLECTION_NOT_FOUND',
    })
    await expect(listSchedules(queue.db, { collectionNodeIds: [] })).resolves.toEqual([])
    expect(await getSchedule(queue.db, key, 'all')).toMatchObject({ payload: { pages: 3 } })
    await expect(getSchedule(queue.db, key, undefined as never)).rejects.toMatchObject({ code: 'SCOPE_INVALID' })
  })
})

describe('deleteSchedule', () => {
  test('ends the series; what it has enqueued stays', async () => {
    await upsertSchedule(queue.db, nightly({ cron: undefined, everySeconds: 60 }), 'all')
    await schedules.look()
    expect(await deleteSchedule(queue.db, nightly(), { collectionNodeIds: [queue.collectionNodeId] })).toBe(true)
    expect(await deleteSchedule(queue.db, nightly(), 'all')).toBe(false)
    await expect(read()).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' })
    expect(await schedules.jobs('report')).toHaveLength(1)
    expect((await queue.pool.query('select from job_schedule_ticks')).rows).toEqual([])
  })
})

describe('listSchedules', () => {
  test('says what is wrong with a place to go on from', async () => {
    const listing = listSchedules(queue.db, 'all', { after: { collectionNodeId: 'nowhere', name: 'a' } })
    await expect(listing).rejects.toMatchObject({ code: 'SCHEDULE_INVALID', message: expect.stringContaining('nowhere') })
  })

  test('gives pages by collection and name, and one type alone', async () => {
    for (const name of ['c', 'a', 'b']) await upsertSchedule(queue.db, nightly({ name }), 'all')
    await upsertSchedule(queue.db, nightly({ name: 'd', job: 'other' }), 'all')
    const names = async (options: object) => (await listSchedules(queue.db, 'all', options)).map(({ name }) => name)
    expect(await names({ limit: 2 })).toEqual(['a', 'b'])
    expect(await names({ limit: 2, after: nightly({ name: 'b' }) })).toEqual(['c', 'd'])
    expect(await names({ after: nightly({ name: 'd' }) })).toEqual([])
    expect(await names({ type: 'other' })).toEqual(['d'])
    await expect(names({ limit: 201 })).rejects.toMatchObject({ code: 'LIST_LIMIT' })
  })
})
