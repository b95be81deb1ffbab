import { appendFile, rename, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { LOG, line, lines, ROTATED, range, useLogFolder } from '../test/log-folder.ts'

// What is cut off, gone, damaged or closed.
const log = useLogFolder()
const { path, run } = log

test('a partial last line: left in the log, whole in a rotated file', async () => {
  await writeFile(path(LOG), lines(1) + line(2).slice(0, 40))
  expect((await run()).seen).toEqual([1])
  await appendFile(path(LOG), line(2).slice(40).trimEnd())
  expect((await run()).seen).toEqual([])
  await rename(path(LOG), path(ROTATED))
  await writeFile(path(LOG), lines(3))
  expect((await run()).seen).toEqual([2, 3])
})

test('a file that is gone is said, and the reading goes on', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await unlink(path(LOG))
  await writeFile(path(ROTATED), lines(6))
  await writeFile(path(LOG), lines(7))
  expect(await run()).toMatchObject({ seen: [6, 7], missing: true })
  expect(await run()).toMatchObject({ seen: [], missing: false })
})

test('one that was read to its end is not missed', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await rename(path(LOG), path(ROTATED))
  // Nobody has written to the new one yet: the run only finds out that the old one has ended.
  await writeFile(path(LOG), '')
  expect(await run()).toMatchObject({ seen: [], missing: false })
  await unlink(path(ROTATED))
  await appendFile(path(LOG), lines(4))
  expect(await run()).toMatchObject({ seen: [4], missing: false })
})

test('a log that was emptied without a copy', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await truncate(path(LOG), 0)
  expect(await run()).toMatchObject({ seen: [], missing: true })
  await appendFile(path(LOG), lines(4))
  expect((await run()).seen).toEqual([4])
})

test('damaged: what can be unpacked is read, then the reading goes on, and never comes back to it', async () => {
  await writeFile(path(LOG), lines(1, 2))
  await run()
  const whole = zlib.gzipSync(lines(1, 200))
  await writeFile(path(`${ROTATED}.gz`), whole.subarray(0, whole.length - 40))
  await unlink(path(LOG))
  await writeFile(path(LOG), lines(201))
  const { seen, files, malformed } = await run()
  expect(files.map(({ damaged }) => damaged)).toEqual([true, false])
  const read = seen.filter((n) => !Number.isNaN(n))
  expect(read.length).toBeGreaterThan(50)
  expect(read.slice(0, -1)).toEqual(range(3, read.length + 1))
  expect(read.at(-1)).toBe(201)
  // The line in which it breaks off is a line, if no good one.
  expect(malformed.length).toBeLessThanOrEqual(1)
  expect((await run()).seen).toEqual([])
})

test('a rotated file that may not be read is said, stays unread, and is read once it may be', async () => {
  await writeFile(path(LOG), lines(4))
  await writeFile(path('elsewhere'), lines(1))
  await symlink(path('elsewhere'), path(ROTATED))
  await writeFile(path('access.log.2.xz'), 'xz')
  const real = log.logs
  // Links are not even listed; a file without permission is, and root could read it.
  log.logs = { ...real, list: async (name) => [...(await real.list(name)), real.resolve(ROTATED)] }
  expect(await run()).toMatchObject({ seen: [4], unreadable: ['access.log.2.xz', ROTATED] })
  log.logs = real
  await unlink(path(ROTATED))
  await rename(path('elsewhere'), path(ROTATED))
  await rename(path(LOG), path('access-2026-11-30T19-00-00.000.log'))
  await writeFile(path(LOG), lines(5))
  expect((await run()).seen).toEqual([1, 5])
})

test('the log itself is away for an instant while it is rotated', async () => {
  await writeFile(path(LOG), lines(1))
  await run()
  await appendFile(path(LOG), lines(2))
  await rename(path(LOG), path(ROTATED))
  expect(await run()).toMatchObject({ seen: [2], missing: false })
  await writeFile(path(LOG), lines(3))
  expect((await run()).seen).toEqual([3])
})

test('neither the log nor a part of it: the path is wrong', async () => {
  await writeFile(path('other.log'), lines(1))
  await expect(run()).rejects.toMatchObject({ kind: 'permanent', code: 'FILE_MISSING' })
})
