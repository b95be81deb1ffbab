import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { accessLine, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

/*
 * Written by hand from reading the log. All lines are of 2026-11-30 19:08 in Oslo.
 * ep001: 5,760,566 bytes, 720 s: one minute is 480,048 bytes. ep002: 937,526 bytes, 117 s: one minute is 480,783 bytes.
 *
 * ep001
 *   .2   Overcast, the whole file                                                 → Overcast 1
 *   .3   AppleCoreMedia, a probe (0-1), then all bytes as one range               → AppleCoreMedia 1
 *   .4   Podcasts/… CFNetwork, six ranges of 200,000 side by side: 1,200,000      → Apple Podcasts 1
 *   .5   NRK Radio, the first 200,000 bytes four times: still 200,000             → too little
 *   .6   Spotify, HEAD                                                            → nothing
 *   .7   Googlebot                                                                → nothing
 *   .9   AntennaPod, 416                                                          → nothing
 *   .11  Pocket Casts, the whole file twice: one listener                         → Pocket Casts 1
 *   .11  AntennaPod behind the same address                                       → AntennaPod 1
 *   .12  Chrome, with a query                                                     → Chrome 1
 *   .14  Pocket Casts, two ranges in one answer (100,100 bytes) and the last 128  → too little
 *   .15  Pocket Casts, broke off, but the kernel had taken the whole file         → Pocket Casts 2
 * ep002
 *   .8   "Amazon Music Podcast" is Amazon's server, not the app                   → nothing
 *   .9   AntennaPod, 304                                                          → nothing
 *   .12  Chrome, written %65p002                                                  → Chrome 1
 *   .13  no user agent                                                            → unknown 1
 *   .13  Kjøkkenradio/1.0, which nobody knows                                     → unknown 2
 *   .16  Pocket Casts; X-Forwarded-For is not believed                            → Pocket Casts 1
 *   .17  OPTIONS and POST, answered with the whole file by this Caddy             → nothing
 *   .18  Overcast, by the site's other name                                       → Overcast 1
 *   ::1  Overcast                                                                 → Overcast 2
 */
const sampleDownloads = [
  ['/media/ep001.mp3', '2026-11-30', 'AntennaPod', 1],
  ['/media/ep001.mp3', '2026-11-30', 'Apple Podcasts', 1],
  ['/media/ep001.mp3', '2026-11-30', 'AppleCoreMedia', 1],
  ['/media/ep001.mp3', '2026-11-30', 'Chrome', 1],
  ['/media/ep001.mp3', '2026-11-30', 'Overcast', 1],
  ['/media/ep001.mp3', '2026-11-30', 'Pocket Casts', 2],
  ['/media/ep002.mp3', '2026-11-30', 'Chrome', 1],
  ['/media/ep002.mp3', '2026-11-30', 'Overcast', 2],
  ['/media/ep002.mp3', '2026-11-30', 'Pocket Casts', 1],
  ['/media/ep002.mp3', '2026-11-30', 'unknown', 2],
]

/*
 * 43 lines. method: HEAD ×3, OPTIONS, POST. status: 304, 404, 416, 500, 502, 401. not_media: feed.xml ×4. probe: .3's first.
 * bot: Googlebot, Amazon's server. That leaves 25 lines: .2, .3, .4 ×6, .5 ×4, .11 ×3, .12 ×2, .13 ×2, .14 ×2, .15, .16, .18, ::1; and 15
 * listeners, for .4, .5, .14 and the first of .11 come again, while .12's two lines are two episodes and .13's two user agents.
 */
const sampleSkipped = { method: 5, status: 6, not_media: 4, probe: 1, bot: 2 }

test.each([
  ['Caddy 2.6', 'caddy.log', 25_975],
  ['Caddy 2.11', 'caddy-2.11-shape.synthetic.log', 27_673],
])('the sample as %s wrote it', async (_version, fixture, size) => {
  const collection = await t.insertCollection()
  await t.copyLog(fixture)
  const result = await t.run(collection)
  expect(await t.downloads(collection)).toEqual(sampleDownloads)
  expect(result).toEqual({
    lines: 43,
    counted: 25,
    skipped: sampleSkipped,
    malformed: [],
    listeners: 15,
    downloads: 13,
    filesRead: 1,
    files: [{ path: 'access.log', fromOffset: 0, offset: size, damaged: false }],
    unreadable: [],
    missing: false,
    more: false,
  })
})

/*
 * The rotated sample: Caddy's own access-….log.gz holds the 43 lines of above, curl twice, and 1,170 requests of one Overcast for the first
 * 100 bytes of en.wav (245,992 bytes); access.log behind it holds 20 more of another Overcast. Neither has a hundredth of the file.
 */
test('the rotated sample in one run, and in as many as there are files', async () => {
  const whole = await t.insertCollection()
  await t.copyLog('rotated/access.log')
  await t.copyLog('rotated/access-2026-11-30T18-09-16.697.log.gz', 'access-2026-11-30T18-09-16.697.log.gz')
  const result = await t.run(whole)
  expect(await t.downloads(whole)).toEqual(sampleDownloads)
  expect(result).toMatchObject({
    lines: 1235,
    counted: 25 + 1170 + 20,
    skipped: { ...sampleSkipped, bot: 4 },
    listeners: 17,
    downloads: 13,
    files: [
      { path: 'access-2026-11-30T18-09-16.697.log.gz', fromOffset: 0, offset: 1_048_146, damaged: false },
      { path: 'access.log', fromOffset: 0, offset: 16_674, damaged: false },
    ],
    more: false,
  })

  // As it came about: read before the rotation, which packs the rest of it away.
  const inTime = await t.insertCollection()
  await rm(join(t.logRoot, 'access-2026-11-30T18-09-16.697.log.gz'))
  await t.copyLog('caddy.log')
  expect(await t.run(inTime)).toMatchObject({ lines: 43, downloads: 13 })
  await t.copyLog('rotated/access.log')
  await t.copyLog('rotated/access-2026-11-30T18-09-16.697.log.gz', 'access-2026-11-30T18-09-16.697.log.gz')
  expect(await t.run(inTime)).toMatchObject({ lines: 1235 - 43, downloads: 0, missing: false })
  expect(await t.run(inTime)).toMatchObject({ lines: 0, files: [{ path: 'access.log', fromOffset: 16_674 }] })
  expect(await t.downloads(inTime)).toEqual(sampleDownloads)
  await rm(join(t.logRoot, 'access-2026-11-30T18-09-16.697.log.gz'))
})

test('a second run over the same log reads nothing and counts nothing twice', async () => {
  const collection = await t.insertCollection()
  await t.copyLog('caddy.log')
  await t.run(collection)
  const again = await t.run(collection)
  expect(again).toMatchObject({ lines: 0, counted: 0, skipped: {}, listeners: 0, downloads: 0, more: false })
  expect(again.files).toEqual([{ path: 'access.log', fromOffset: 25_975, offset: 25_975, damaged: false }])
  expect(await t.downloads(collection)).toEqual(sampleDownloads)
})

test('a log with everything in it: six downloads, bad lines told, the cut last line left', async () => {
  const collection = await t.insertCollection({ statistics: { mediaPrefixes: ['/ep/'] } })
  await t.copyLog('a34-mixed.log')
  const result = await t.run(collection, { now: new Date('2026-06-01T12:00:00Z') })
  // Overcast: .10, .12 (its time written out) and .16 (a query of 30 kB). AppleCoreMedia: .11. Unknown: .13 without a user agent and
  // .14 with a NUL in it.
  expect(await t.downloads(collection)).toEqual([
    ['/ep/041.mp3', '2026-06-01', 'AppleCoreMedia', 1],
    ['/ep/041.mp3', '2026-06-01', 'Overcast', 3],
    ['/ep/041.mp3', '2026-06-01', 'unknown', 2],
  ])
  // malformed: the console line, null, [1,2,3], the wrong types. status: the 404 with the bad escape.
  expect(result).toMatchObject({
    lines: 13,
    counted: 6,
    skipped: { malformed: 4, other_logger: 1, blank: 1, status: 1 },
    downloads: 6,
    more: false,
  })
  expect(result.files[0]?.offset).toBeLessThan((await stat(join(t.logRoot, 'access.log'))).size)
  // Where to look for them, and nothing of what they say.
  const log = await readFile(join(t.logRoot, 'access.log'))
  expect(result.malformed).toHaveLength(4)
  for (const { file, offset, shape } of result.malformed) {
    expect(file).toBe('access.log')
    expect(log.subarray(offset - 1, offset).toString()).toBe('\n')
    expect(shape).not.toMatch(/203|Overcast|041/)
  }
})

test('ranges, probes, HEAD, 304 and bots: three downloads', async () => {
  const collection = await t.insertCollection({ statistics: { mediaPrefixes: ['/ep/'] } })
  await t.copyLog('a35-ranges.log')
  const result = await t.run(collection, { now: new Date('2026-06-01T12:00:00Z') })
  // .60 a probe and two ranges that together are the file; .61 Overcast twice; .61 Pocket Casts behind the same address.
  expect(await t.downloads(collection)).toEqual([
    ['/ep/041.mp3', '2026-06-01', 'AppleCoreMedia', 1],
    ['/ep/041.mp3', '2026-06-01', 'Overcast', 1],
    ['/ep/041.mp3', '2026-06-01', 'Pocket Casts', 1],
  ])
  expect(result.skipped).toEqual({ probe: 3, method: 1, status: 2, bot: 1 })
})

test("the guideline's example, a calendar day in Oslo: Mon 22:00, Tue 03:00, Tue 22:15 and Wed 23:15 give 1, 1, 0, 1", async () => {
  const collection = await t.insertCollection()
  await t.writeLog('')
  const downloads: number[] = []
  for (const at of ['2026-11-30T21:00:00Z', '2026-12-01T02:00:00Z', '2026-12-01T21:15:00Z', '2026-12-02T22:15:00Z']) {
    await t.appendLog(accessLine({ at }))
    downloads.push((await t.run(collection, { now: new Date('2026-12-02T22:30:00Z') })).downloads)
  }
  expect(downloads).toEqual([1, 1, 0, 1])
})

test('a hostile log: odd lines are told, the good ones count', async () => {
  const collection = await t.insertCollection()
  await t.copyLog('caddy-hostile.synthetic.log')
  const result = await t.run(collection)
  // .2 Overcast; 203.0.113.9 without a user agent, its time written out; Overcast with the address as Caddy before 2.5 wrote it.
  expect(await t.downloads(collection)).toEqual([
    ['/media/ep001.mp3', '2026-11-30', 'Overcast', 2],
    ['/media/ep001.mp3', '2026-11-30', 'unknown', 1],
  ])
  // malformed: broken off, no JSON, {}, [], null and the NULs. method: curl's HEAD. watch: an Apple Watch.
  const skipped = { blank: 1, malformed: 6, method: 1, other_logger: 1, probe: 1, watch: 1 }
  expect(result).toMatchObject({ lines: 14, counted: 3, skipped, downloads: 3 })
  expect(result.malformed.map(({ shape }) => shape)).toEqual(['{"level":"info","ts":', 'x x x x', '{}', '[]', 'null'])
})

test('a collection counts only its own: two collections, one log', async () => {
  const [mine, other] = [await t.insertCollection(), await t.insertCollection({ statistics: { mediaPrefixes: ['/media/'] } })]
  await t.copyLog('caddy.log')
  await t.run(mine)
  expect(await t.downloads(other)).toEqual([])
  await t.run(other)
  expect(await t.downloads(mine)).toEqual(sampleDownloads)
  // Without durations the whole file is asked for: .4's six ranges are not enough any more.
  expect(await t.downloads(other)).toEqual(sampleDownloads.filter(([, , app]) => app !== 'Apple Podcasts'))
})

test('deleting a collection deletes its statistics', async () => {
  const collection = await t.insertCollection()
  await t.copyLog('caddy.log')
  await t.run(collection)
  await t.pool.query('delete from nodes where id = $1', [collection])
  expect(await t.downloads(collection)).toEqual([])
  expect(await t.dump()).not.toContain(collection)
})
