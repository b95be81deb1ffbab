import { setImmediate } from 'node:timers/promises'
import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { listDownloads, sweepExpiredSalts } from '../../src/storage/index.ts'
import { checkpointAt, listener, next, openDay, setUpStatistics } from './support.ts'

const databases: TestDatabase[] = []
let t: Awaited<ReturnType<typeof setUpStatistics>>
beforeEach(async () => {
  t = await setUpStatistics(inject('server'))
  databases.push(t.database)
})
afterAll(() => Promise.all(databases.map((database) => database.drop())))

const salts = async () => (await t.database.pool.query('select collection_node_id as of, day::text from podcast_salts order by 2')).rows
const listenerDays = async () => (await t.database.pool.query('select from podcast_listener_days')).rowCount
const nextDay = { day: '2026-12-01', expiresAt: new Date('2026-12-03T23:00:00Z') }

test('a run deletes what is due in every collection, listeners with their salt; the counts stay', async () => {
  await t.record(t.other, { days: [openDay, nextDay], listeners: [listener(), listener({ day: nextDay.day })] })
  expect(await listenerDays()).toBe(2)
  // `other` never runs again.
  await t.record(t.mine, { days: [], listeners: [], now: new Date(openDay.expiresAt.getTime() - 1) })
  expect(await salts()).toHaveLength(2)
  await t.record(t.mine, { checkpoint: next(100, 200), days: [], listeners: [], now: openDay.expiresAt })
  expect(await salts()).toEqual([{ of: t.other, day: nextDay.day }])
  expect(await listenerDays()).toBe(1)
  expect((await listDownloads(t.database.db, t.other)).map(({ downloads }) => downloads)).toEqual([1, 1])
})

test('one sweep deletes twenty salts, the oldest first', async () => {
  await t.database.pool.query(
    `insert into podcast_salts select $1, date '2026-01-01' + n, decode(repeat('00', 32), 'hex'), timestamptz '2026-01-04' + n * interval '1 day'
     from generate_series(1, 25) n`,
    [t.other],
  )
  expect(await sweepExpiredSalts(t.database.db, openDay.expiresAt)).toBe(20)
  expect((await salts())[0]).toEqual({ of: t.other, day: '2026-01-22' })
  expect(await sweepExpiredSalts(t.database.db, openDay.expiresAt)).toBe(5)
  expect(await sweepExpiredSalts(t.database.db, openDay.expiresAt)).toBe(0)
})

test('a sweep waits for nobody: a salt that another transaction is at is left to it', async () => {
  await t.record(t.other)
  const client = await t.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select from podcast_salts for key share')
    expect(await sweepExpiredSalts(t.database.db, openDay.expiresAt)).toBe(0)
  } finally {
    await client.query('commit')
    client.release()
  }
  expect(await sweepExpiredSalts(t.database.db, openDay.expiresAt)).toBe(1)
})

test('a day of which nobody can tell the listeners apart any more gets no second salt', async () => {
  await t.record(t.mine)
  const shortlyBefore = new Date(openDay.expiresAt.getTime() - 60_000)
  // With its salt a late run still knows whom it has counted.
  expect(await t.record(t.mine, { checkpoint: next(100, 200), now: shortlyBefore })).toEqual({ downloads: 0 })
  // Without it, because another run was a minute ahead and has swept, they would all count again.
  await sweepExpiredSalts(t.database.db, openDay.expiresAt)
  expect(await t.record(t.mine, { checkpoint: next(200, 300), now: shortlyBefore })).toEqual({ downloads: 0 })
  expect(await salts()).toEqual([])
  expect((await listDownloads(t.database.db, t.mine)).map(({ downloads }) => downloads)).toEqual([1])
})

test('a run that uses a salt and a sweep that wants it come one after the other', async () => {
  await t.record(t.mine)
  const runs: Promise<unknown>[] = []
  for (let n = 0; n < 20; n++) {
    const path = `${n}.log`
    runs.push(
      t.record(t.mine, {
        path,
        checkpoint: { from: undefined, to: { ...checkpointAt(100), path } },
        listeners: [listener({ listener: path })],
      }),
    )
    await setImmediate()
    runs.push(sweepExpiredSalts(t.database.db, openDay.expiresAt))
  }
  expect((await Promise.allSettled(runs)).filter(({ status }) => status === 'rejected')).toEqual([])
})
