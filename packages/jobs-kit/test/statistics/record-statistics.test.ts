import { createHmac } from 'node:crypto'
import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { listDownloads, readCheckpoint } from '../../src/storage/index.ts'
import { checkpointAt, episode, listener, next, openDay, setUpStatistics } from './support.ts'

const databases: TestDatabase[] = []
let database: TestDatabase
let mine: string
let other: string
let record: Awaited<ReturnType<typeof setUpStatistics>>['record']
let rowsOf: Awaited<ReturnType<typeof setUpStatistics>>['rowsOf']
beforeEach(async () => {
  ;({ database, mine, other, record, rowsOf } = await setUpStatistics(inject('server')))
  databases.push(database)
})
afterAll(() => Promise.all(databases.map((one) => one.drop())))

test('a checkpoint comes back as it was written, whatever the file system numbers its inodes', async () => {
  await record(mine)
  expect(await readCheckpoint(database.db, mine, 'access.log')).toEqual(checkpointAt(100))
  expect(await readCheckpoint(database.db, mine, 'another.log')).toBeUndefined()
  expect(await readCheckpoint(database.db, other, 'access.log')).toBeUndefined()
})

test.each([
  ['another offset', { ...checkpointAt(99) }],
  ['another head', { ...checkpointAt(100), headSha256: Buffer.alloc(32, 2) }],
  ['none at all', undefined],
])('a run that began at %s writes nothing', async (_name, from) => {
  await record(mine)
  const before = await rowsOf(mine)
  const late = record(mine, { checkpoint: { from, to: checkpointAt(200) }, listeners: [listener({ listener: 'x' })] })
  await expect(late).rejects.toMatchObject({ code: 'CHECKPOINT_MOVED', kind: 'transient' })
  expect(await rowsOf(mine)).toEqual(before)
})

test('a checkpoint that was deleted meanwhile counts as moved', async () => {
  await expect(record(mine, { checkpoint: next(100, 200) })).rejects.toMatchObject({ code: 'CHECKPOINT_MOVED' })
})

test('nothing one collection does touches another, though path, day, episode and listener are the same', async () => {
  await record(other, { files: [{ episode, totalBytes: 1000, declared: true }], listeners: [listener({ ranges: [0, 10] })] })
  const before = await rowsOf(other)
  await record(mine, { files: [{ episode, totalBytes: 500, declared: true }] })
  await record(mine, { checkpoint: next(100, 200), listeners: [listener({ listener: 'y', ranges: [0, 5000] })] })
  expect(await rowsOf(other)).toEqual(before)
  expect(await listDownloads(database.db, other)).toEqual([])
})

test('a size that only another collection knows decides nothing here', async () => {
  await record(other, { files: [{ episode, totalBytes: 1000, declared: true }] })
  await record(mine, { listeners: [listener({ totalBytes: undefined })] })
  expect(await listDownloads(database.db, mine)).toEqual([])
})

test('bytes of several runs are a union; the run that reaches the threshold counts, later ones do not', async () => {
  const part = (start: number, end: number) => [listener({ ranges: [start, end] })]
  await record(mine, { listeners: part(0, 400) })
  await record(mine, { checkpoint: next(100, 200), listeners: part(0, 400) })
  await record(mine, { checkpoint: next(200, 300), listeners: part(700, 1000) })
  expect(await listDownloads(database.db, mine)).toEqual([])
  await record(mine, { checkpoint: next(300, 400), listeners: part(300, 700) })
  const counted = [{ episode, day: '2026-11-30', app: 'Overcast', downloads: 1 }]
  expect(await listDownloads(database.db, mine)).toEqual(counted)
  await record(mine, { checkpoint: next(400, 500), listeners: part(0, 1000) })
  expect(await listDownloads(database.db, mine)).toEqual(counted)
})

test('a run that reaches the threshold by itself counts, also after one that did not', async () => {
  await record(mine, { listeners: [listener({ ranges: [0, 10] })] })
  await record(mine, { checkpoint: next(100, 200) })
  await record(mine, { checkpoint: next(200, 300) })
  expect(await listDownloads(database.db, mine)).toMatchObject([{ downloads: 1 }])
})

test('a listener whose file has no known size counts once the size is known', async () => {
  await record(mine, { listeners: [listener({ totalBytes: undefined })] })
  expect(await listDownloads(database.db, mine)).toEqual([])
  const files = [{ episode, totalBytes: 1000, declared: true }]
  await record(mine, { checkpoint: next(100, 200), files, listeners: [listener({ totalBytes: undefined, ranges: [0, 1] })] })
  expect(await listDownloads(database.db, mine)).toMatchObject([{ downloads: 1 }])
})

test.each([
  {
    name: 'the longest body while none is declared',
    seen: [
      [300, false],
      [900, false],
      [500, false],
    ],
    kept: [900, false],
  },
  {
    name: 'a declared size over any body',
    seen: [
      [900, false],
      [800, true],
      [950, false],
    ],
    kept: [800, true],
  },
  {
    name: 'the newest declared size',
    seen: [
      [800, true],
      [700, true],
    ],
    kept: [700, true],
  },
])('of a file is kept $name', async ({ seen, kept }) => {
  for (const [index, [totalBytes, declared]] of seen.entries()) {
    const checkpoint = index === 0 ? { from: undefined, to: checkpointAt(100) } : next(index * 100, (index + 1) * 100)
    await record(mine, { checkpoint, files: [{ episode, totalBytes: Number(totalBytes), declared: declared === true }] })
  }
  const { rows } = await database.pool.query('select total_bytes::int, declared from podcast_episode_files')
  expect(rows).toEqual([{ total_bytes: kept[0], declared: kept[1] }])
})

test('days whose salt had to go are left out, though the checkpoint moves on', async () => {
  await record(mine, { now: openDay.expiresAt })
  expect(await rowsOf(mine)).toEqual([[expect.anything()], [], [], [], [], []])
})

test("each listener is hashed under its own collection's salt", async () => {
  await record(mine)
  await record(other)
  await record(mine, { checkpoint: next(100, 200), listeners: [listener({ listener: 'second' })] })
  const { rows } = await database.pool.query(`
    select salt, array_agg(listener_hash) as hashes from podcast_salts join podcast_listener_days using (collection_node_id, day) group by 1`)
  expect(rows).toHaveLength(2)
  for (const { salt, hashes } of rows) {
    const own = ['203.0.113.1|Overcast/3.0', 'second'].map((text) => createHmac('sha256', salt).update(text).digest())
    for (const hash of hashes) expect(own).toContainEqual(hash)
  }
})

test('many listeners go in bounded batches and are all counted', async () => {
  const listeners = Array.from({ length: 5001 }, (_, index) => listener({ listener: `${index}|x`, app: `app ${index % 3}` }))
  await record(mine, { listeners })
  expect(await listDownloads(database.db, mine)).toEqual(
    [0, 1, 2].map((app) => ({ episode, day: '2026-11-30', app: `app ${app}`, downloads: 1667 })),
  )
})

test('two runs over the same listeners in opposite order wait for each other and do not deadlock', async () => {
  const listeners = Array.from({ length: 6000 }, (_, index) => listener({ listener: `${index}|x`, app: `app ${index}` }))
  // The salt exists beforehand: making it would line the two runs up.
  await record(mine)
  await Promise.all(
    [listeners, listeners.toReversed()].map((seen, index) =>
      record(mine, { checkpoint: { from: undefined, to: { ...checkpointAt(100), path: `${index}.log` } }, listeners: seen }),
    ),
  )
  expect((await listDownloads(database.db, mine)).every(({ downloads }) => downloads === 1)).toBe(true)
})
