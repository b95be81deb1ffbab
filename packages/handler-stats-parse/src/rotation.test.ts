import { appendFile, copyFile, rename, truncate, unlink, writeFile } from 'node:fs/promises'
import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { LOG, lines, ROTATED, range, useLogFolder } from '../test/log-folder.ts'

const log = useLogFolder()
const { path, run, gzip } = log

test('what is new in a log that grows', async () => {
  await writeFile(path(LOG), lines(1, 3))
  expect((await run()).seen).toEqual([1, 2, 3])
  expect((await run()).seen).toEqual([])
  await appendFile(path(LOG), lines(4, 5))
  expect(await run()).toMatchObject({ seen: [4, 5], more: false, missing: false })
})

test('as long as the log is the same file nothing else is looked at', async () => {
  await writeFile(path(LOG), lines(1))
  await run()
  await writeFile(path(ROTATED), lines(9))
  await appendFile(path(LOG), lines(2))
  const never = async () => Promise.reject(new Error('asked'))
  expect(await run({ readFinished: never })).toMatchObject({ seen: [2], present: undefined })
})

test('a first run reads the rotated files that are there as well, oldest first', async () => {
  await writeFile(path(LOG), lines(7, 8))
  await writeFile(path('access-2026-11-30T18-00-00.000.log'), lines(4, 6))
  // The older one, whatever its name says.
  await writeFile(path('access-2026-11-30T19-00-00.000.log'), lines(1, 3))
  await writeFile(path('access-other.log'), lines(99))
  expect(await run()).toMatchObject({ seen: range(1, 8), more: false })
})

test('rotation: the rest of the old file, then the new one', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await appendFile(path(LOG), lines(4, 5))
  await rename(path(LOG), path(ROTATED))
  await writeFile(path(LOG), lines(6, 7))
  const { seen, files } = await run()
  expect(seen).toEqual([4, 5, 6, 7])
  expect(files).toEqual([
    { path: ROTATED, fromOffset: lines(1, 3).length, offset: lines(1, 5).length, damaged: false },
    { path: LOG, fromOffset: 0, offset: lines(6, 7).length, damaged: false },
  ])
  expect(await run()).toMatchObject({ seen: [], missing: false })
})

test.each([
  ['gzip, by lumberjack', `${ROTATED}.gz`, zlib.gzipSync],
  ['gzip, by timberjack', 'access-2026-11-30T18-09-16.697-size.log.gz', zlib.gzipSync],
  ['gzip, by timberjack with the time last', 'access.log-2026-11-30T18-09-16.697-time.gz', zlib.gzipSync],
  ['zstd, by timberjack', 'access-2026-11-30T18-09-16.697-time.log.zst', zlib.zstdCompressSync],
  ['zstd, by timberjack with the time last', 'access.log-2026-11-30T18-09-16.697-time.zst', zlib.zstdCompressSync],
  ['logrotate', 'access.log.1', (content: Buffer) => content],
  ['logrotate with gzip', 'access.log.1.gz', zlib.gzipSync],
  ['logrotate with dates', 'access.log-20261130', (content: Buffer) => content],
])('rotated and packed, a new inode, before the rest was read: %s', async (_name, name, pack) => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await writeFile(path(name), pack(Buffer.from(lines(1, 5))))
  await unlink(path(LOG))
  await writeFile(path(LOG), lines(6))
  expect(await run()).toMatchObject({ seen: [4, 5, 6], missing: false })
  expect((await run()).seen).toEqual([])
})

test('a file that was read to its end is known again after it was packed and renamed', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await rename(path(LOG), path('access.log.1'))
  await writeFile(path(LOG), lines(4))
  expect((await run()).seen).toEqual([4])
  await rename(path('access.log.1'), path('access.log.2'))
  await gzip('access.log.2')
  await rename(path(LOG), path('access.log.1'))
  await writeFile(path(LOG), lines(5))
  expect(await run()).toMatchObject({ seen: [5], missing: false })
  expect(log.memory.finished.size).toBe(2)
})

test('several rotations between two runs', async () => {
  await writeFile(path(LOG), lines(1, 2))
  await run()
  await appendFile(path(LOG), lines(3))
  for (const n of [4, 6, 8]) {
    await rename(path(LOG), path(`access-2026-11-30T18-0${n}-00.000.log`))
    await writeFile(path(LOG), lines(n, n + 1))
  }
  await gzip('access-2026-11-30T18-04-00.000.log')
  await gzip('access-2026-11-30T18-06-00.000.log')
  expect(await run()).toMatchObject({ seen: range(3, 9), missing: false })
})

test('a clock that was set back hides no file', async () => {
  await writeFile(path(LOG), lines(50, 52))
  await run()
  await rename(path(LOG), path('access-2026-11-30T18-00-00.000.log'))
  // Rotated again within an hour that the clock has lived twice: all its times lie before those already read.
  await writeFile(path('access-2026-11-30T17-30-00.000.log'), lines(10, 12))
  await writeFile(path(LOG), lines(20))
  expect(new Set((await run()).seen)).toEqual(new Set([10, 11, 12, 20]))
})

test('copied and cut (copytruncate): the rest is read from the copy, and the log from its beginning', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await appendFile(path(LOG), lines(4))
  await copyFile(path(LOG), path('access.log.1'))
  // Copied and not yet cut: what comes in between belongs to nobody but us.
  await appendFile(path(LOG), lines(5))
  expect((await run()).seen).toEqual([4, 5])
  await truncate(path(LOG), 0)
  await appendFile(path(LOG), lines(6, 7))
  expect(await run()).toMatchObject({ seen: [6, 7], missing: false })
})

test('copied and cut between two runs', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await appendFile(path(LOG), lines(4, 5))
  await copyFile(path(LOG), path('access.log.1'))
  await truncate(path(LOG), 0)
  await appendFile(path(LOG), lines(6, 9))
  expect(await run()).toMatchObject({ seen: range(4, 9), missing: false })
})

test('a first run between copy and cut counts the copy once', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await copyFile(path(LOG), path('access.log.1'))
  expect((await run()).seen).toEqual([1, 2, 3])
  await truncate(path(LOG), 0)
  await appendFile(path(LOG), lines(4))
  expect(await run()).toMatchObject({ seen: [4], missing: false })
})
