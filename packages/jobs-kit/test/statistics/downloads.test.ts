import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { countDownloadsByApp, countDownloadsByDay, countDownloadsByEpisode, listDownloads } from '../../src/storage/index.ts'
import { listener, openDay, setUpStatistics } from './support.ts'

const [a, b] = ['/media/a.mp3', '/media/b.mp3']
const [monday, tuesday] = ['2026-11-30', '2026-12-01']

/** Episode, day, app and how many listeners; a few at first, more than 9 in one place so that no text is sorted as a text. */
const counts = [
  [a, monday, 'AntennaPod', 2],
  [a, monday, 'Overcast', 11],
  [a, tuesday, 'Overcast', 1],
  [b, tuesday, 'Overcast', 3],
  [b, tuesday, 'unknown', 9],
] as const

let t: Awaited<ReturnType<typeof setUpStatistics>>
beforeAll(async () => {
  t = await setUpStatistics(inject('server'))
  const days = [openDay, { day: tuesday, expiresAt: new Date('2026-12-03T23:00:00Z') }]
  const listeners = counts.flatMap(([episode, day, app, downloads]) =>
    Array.from({ length: downloads }, (_, index) => listener({ episode, day, app, listener: `${index}|${app}` })),
  )
  expect(await t.record(t.mine, { days, listeners: listeners.toReversed() })).toEqual({ downloads: 26 })
  await t.record(t.other, { listeners: [listener({ episode: '/media/of-another.mp3', app: 'Spotify' })] })
})
afterAll(() => t.database.drop())

test('all counts, by episode, day and app', async () => {
  const listed = await listDownloads(t.database.db, t.mine)
  expect(listed.map(({ episode, day, app, downloads }) => [episode, day, app, downloads])).toEqual(counts)
})

test('by episode, the most downloaded first', async () => {
  expect(await countDownloadsByEpisode(t.database.db, t.mine)).toEqual([
    { episode: a, downloads: 14 },
    { episode: b, downloads: 12 },
  ])
})

test('by day, in order', async () => {
  expect(await countDownloadsByDay(t.database.db, t.mine)).toEqual([
    { day: monday, downloads: 13 },
    { day: tuesday, downloads: 13 },
  ])
})

test('by app, the most used first', async () => {
  expect(await countDownloadsByApp(t.database.db, t.mine)).toEqual([
    { app: 'Overcast', downloads: 15 },
    { app: 'unknown', downloads: 9 },
    { app: 'AntennaPod', downloads: 2 },
  ])
})

test.each([
  [{ fromDay: tuesday }, 13],
  [{ toDay: monday }, 13],
  [{ fromDay: monday, toDay: tuesday }, 26],
  [{ fromDay: '2026-12-02' }, 0],
  [{ episode: a }, 14],
  [{ episode: a, toDay: monday, app: 'Overcast' }, 11],
  [{ app: "x' or true --" }, 0],
])('only what %j says', async (filter, downloads) => {
  const sums = await Promise.all(
    [countDownloadsByEpisode, countDownloadsByDay, countDownloadsByApp].map(async (count) =>
      (await count(t.database.db, t.mine, filter)).reduce((sum, row) => sum + row.downloads, 0),
    ),
  )
  expect(sums).toEqual([downloads, downloads, downloads])
})

test.each(['2026-11-31', '2026-13-01', '2026-11-1', 'today', '', '0000-01-01'])('a day that is none (%j) is refused', async (day) => {
  for (const filter of [{ fromDay: day }, { toDay: day }]) {
    const refused = { kind: 'permanent', code: 'DAY_INVALID', message: expect.stringContaining(JSON.stringify(day)) }
    await expect(countDownloadsByEpisode(t.database.db, t.mine, filter)).rejects.toMatchObject(refused)
  }
})

test('the view has a row for each episode', async () => {
  const { rows } = await t.database.pool.query(
    `select episode, downloads, first_day::text, last_day::text from podcast_download_totals where collection_node_id = $1 order by episode`,
    [t.mine],
  )
  expect(rows).toEqual([
    { episode: a, downloads: '14', first_day: monday, last_day: tuesday },
    { episode: b, downloads: '12', first_day: tuesday, last_day: tuesday },
  ])
  expect((await t.database.pool.query('select from podcast_download_totals')).rowCount).toBe(3)
})

test('who may not read the counts may not read them through the view', async () => {
  const client = await t.database.pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `create role reader_of_totals; grant select on podcast_download_totals to reader_of_totals; set local role reader_of_totals`,
    )
    await expect(client.query('select from podcast_download_totals')).rejects.toMatchObject({ code: '42501' })
  } finally {
    await client.query('rollback')
    client.release()
  }
})
