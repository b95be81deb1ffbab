import { appendFile, copyFile, mkdtemp, type open, readFile, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { createFileRoot, type FileRoot } from '@sidelinja/jobs-kit'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createCounter } from './counter.ts'
import { createDayClock } from './local-day.ts'
import { type Reading, type ReadLogOptions, readLog } from './read-log.ts'
import { createClassifier } from './user-agents/classify.ts'

const base = await mkdtemp(join(tmpdir(), 'read-log-'))
afterAll(() => rm(base, { recursive: true }))

let folder: string
let logs: FileRoot
/** What the database would remember between two runs. */
let memory: { checkpoint: LogCheckpoint | undefined; finished: Map<string, Buffer> }
beforeEach(async () => {
  folder = await mkdtemp(join(base, 'logs-'))
  logs = createFileRoot({ root: folder, name: 'LOG_ROOT' })
  memory = { checkpoint: undefined, finished: new Map() }
})

const path = (name: string) => join(folder, name)
const LOG = 'access.log'
const ROTATED = 'access-2026-11-30T18-09-16.697.log'

/** Lines n to m, each of a listener of its own, a second apart. */
const lines = (from: number, to = from) => Array.from({ length: to - from + 1 }, (_, index) => line(from + index)).join('')
const line = (n: number) =>
  `${JSON.stringify({ level: 'info', ts: 1796032800 + n, request: { client_ip: `10.0.0.${n}`, method: 'GET', uri: '/media/a.mp3' }, status: 200, size: 9 })}\n`

interface Run extends Reading {
  /** The numbers of the lines that were read, in order. */
  seen: number[]
  fractions: number[]
}

/** One run that commits, unless it is told not to. */
async function run(options: Partial<ReadLogOptions> & { commit?: boolean; logPath?: string } = {}): Promise<Run> {
  const seen: number[] = []
  const fractions: number[] = []
  const counter = createCounter({
    mediaPrefixes: ['/media/'],
    episodes: {},
    clock: createDayClock('UTC'),
    now: new Date('2026-11-30T12:00:00Z'),
    classify: createClassifier(),
  })
  const { count } = counter
  counter.count = (text) => {
    seen.push(Number(/10\.0\.0\.(\d+)"/.exec(text)?.[1]))
    return count(text)
  }
  const reading = await readLog(logs, options.logPath ?? LOG, {
    from: memory.checkpoint,
    readFinished: async () => [...memory.finished.values()],
    counter,
    limits: { bytes: 64 * 1024 * 1024, ms: 20_000, listeners: 100_000 },
    nowMs: () => 0,
    signal: new AbortController().signal,
    progress: (fraction) => fractions.push(fraction),
    ...options,
  })
  if (options.commit !== false) remember(reading)
  return { ...reading, seen, fractions }
}

function remember({ to, finished, present }: Reading): void {
  memory.checkpoint = to
  if (present) {
    const there = new Set(present.map((head) => head.toString('hex')))
    for (const key of memory.finished.keys()) if (!there.has(key)) memory.finished.delete(key)
  }
  for (const head of finished) memory.finished.set(head.toString('hex'), head)
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

async function gzip(name: string): Promise<void> {
  await writeFile(path(`${name}.gz`), zlib.gzipSync(await readFile(path(name))))
  await unlink(path(name))
}

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
  expect(memory.finished.size).toBe(2)
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

test('rotation in the middle of reading: the open file is the old one, and the rest comes with the next run', async () => {
  await writeFile(path(LOG), lines(1, 4))
  let rotated = false
  const first = await run({
    limits: { bytes: lines(1, 2).length, ms: 20_000, listeners: 100_000 },
    progress() {
      if (rotated) return
      rotated = true
      return rotateNow()
    },
  })
  expect(first).toMatchObject({ seen: [1, 2], more: true })
  await rotation
  expect(await run()).toMatchObject({ seen: [3, 4, 5, 6], missing: false, more: false })

  function rotateNow() {
    rotation = (async () => {
      await appendFile(path(LOG), lines(5))
      await rename(path(LOG), path(ROTATED))
      await writeFile(path(LOG), lines(6))
      await gzip(ROTATED)
    })()
  }
})
let rotation: Promise<void>

test('rotation between the look at the log and the list: it is in the list, and only once', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await rename(path(LOG), path('access-2026-11-30T18-00-00.000.log'))
  await writeFile(path(LOG), lines(4, 5))
  const real = logs
  logs = { ...real, list: (name) => rotateOnce().then(() => real.list(name)) }
  const first = await run()
  expect(first.seen).toEqual([4, 5])
  expect((await run()).seen).toEqual([6])

  async function rotateOnce() {
    logs = real
    await rename(path(LOG), path('access-2026-11-30T19-00-00.000.log'))
    await writeFile(path(LOG), lines(6))
  }
})

test('packed between the list and the look: the list is asked for again', async () => {
  await writeFile(path(LOG), lines(1))
  await run()
  await appendFile(path(LOG), lines(2))
  await rename(path(LOG), path(ROTATED))
  await writeFile(path(LOG), lines(3))
  const real = logs
  let listed = 0
  logs = {
    ...real,
    async list(name) {
      const files = await real.list(name)
      if (listed++ === 0) await gzip(ROTATED)
      return files
    },
  }
  expect(await run()).toMatchObject({ seen: [2, 3], missing: false })
  expect(listed).toBe(2)
})

test('packed between the look and the reading: the next run reads it', async () => {
  await writeFile(path(LOG), lines(1))
  await run()
  await appendFile(path(LOG), lines(2))
  await rename(path(LOG), path(ROTATED))
  await writeFile(path(LOG), lines(3))
  const readFinished = () => gzip(ROTATED).then(() => [...memory.finished.values()])
  expect(await run({ readFinished })).toMatchObject({ seen: [], more: true, missing: false })
  expect(await run()).toMatchObject({ seen: [2, 3], more: false, missing: false })
})

test('half packed, both are there: the unpacked file counts', async () => {
  await writeFile(path(LOG), lines(1))
  await run()
  await appendFile(path(LOG), lines(2))
  await rename(path(LOG), path(ROTATED))
  await writeFile(path(`${ROTATED}.gz`), zlib.gzipSync(lines(1, 2)).subarray(0, 30))
  await writeFile(path(LOG), lines(3))
  const { seen, files } = await run()
  expect(seen).toEqual([2, 3])
  expect(files.map((file) => file.damaged)).toEqual([false, false])
})

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
  const real = logs
  // Links are not even listed; a file without permission is, and root could read it.
  logs = { ...real, list: async (name) => [...(await real.list(name)), real.resolve(ROTATED)] }
  expect(await run()).toMatchObject({ seen: [4], unreadable: ['access.log.2.xz', ROTATED] })
  logs = real
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

test('a packed file by its own name, once', async () => {
  await writeFile(path(`${ROTATED}.gz`), zlib.gzipSync(lines(1, 3)))
  expect(await run({ logPath: `${ROTATED}.gz` })).toMatchObject({ seen: [1, 2, 3], more: false })
  expect(await run({ logPath: `${ROTATED}.gz` })).toMatchObject({ seen: [], more: false, missing: false })
})

test('a run stops at its bytes, and the next ones go on, over plain and packed files', async () => {
  await writeFile(path('access.log.2.gz'), zlib.gzipSync(lines(1, 5)))
  await writeFile(path('access.log.1'), lines(6, 10))
  await writeFile(path(LOG), lines(11, 13))
  const seen: number[][] = []
  for (let runs = 0, more = true; more && runs < 20; runs++) {
    const reading = await run({ limits: { bytes: lines(1, 2).length, ms: 20_000, listeners: 100_000 } })
    seen.push(reading.seen)
    more = reading.more
  }
  expect(seen.flat()).toEqual(range(1, 13))
  expect(Math.max(...seen.map((one) => one.length))).toBeLessThanOrEqual(3)
  expect(memory.finished.size).toBe(2)
})

test('a run stops at its time, after the first chunk at the earliest', async () => {
  await writeFile(path(ROTATED), `${'x'.repeat(999)}\n`.repeat(1000))
  await writeFile(path(LOG), lines(1))
  let nowMs = 0
  const slow = { nowMs: () => (nowMs += 15_000) }
  const first = await run(slow)
  expect(first.more).toBe(true)
  expect(first.seen.length).toBeGreaterThan(200)
  expect(first.seen.length).toBeLessThan(600)
  let rest = first
  for (let runs = 0; rest.more && runs < 10; runs++) rest = await run(slow)
  expect(rest.seen.at(-1)).toBe(1)
})

test('a run holds so many listeners and leaves the rest', async () => {
  await writeFile(path(LOG), lines(1, 20))
  expect(await run({ limits: { bytes: 1e9, ms: 20_000, listeners: 5 } })).toMatchObject({ seen: range(1, 5), more: true })
  expect((await run()).seen).toEqual(range(6, 20))
})

test('what is read and not committed is read again, also across a rotation', async () => {
  await writeFile(path(LOG), lines(1, 2))
  await run()
  await rename(path(LOG), path(ROTATED))
  await writeFile(path(LOG), lines(3, 4))
  expect((await run({ commit: false })).seen).toEqual([3, 4])
  expect((await run({ commit: false })).seen).toEqual([3, 4])
  await gzip(ROTATED)
  expect((await run()).seen).toEqual([3, 4])
})

test('malformed lines are said by file and byte, five at most, without their words', async () => {
  await writeFile(path(ROTATED), `${lines(1)}secret 10.1.2.3\n`)
  await writeFile(path(LOG), 'rubbish\n'.repeat(10))
  const { malformed } = await run()
  expect(malformed).toHaveLength(5)
  expect(malformed.slice(0, 2)).toEqual([
    { file: ROTATED, offset: lines(1).length, shape: 'x x.x.x.x' },
    { file: LOG, offset: 0, shape: 'x' },
  ])
})

test('progress grows to 1', async () => {
  await writeFile(path(LOG), `${'x'.repeat(1000)}\n`.repeat(2000))
  await writeFile(path('access.log.1.gz'), zlib.gzipSync(lines(1, 9)))
  const { fractions } = await run()
  expect(fractions.length).toBeGreaterThan(3)
  expect([...fractions].sort((a, b) => a - b)).toEqual(fractions)
  expect(fractions.at(-1)).toBe(1)
})

test('the latest time is kept, over lines out of order and over runs', async () => {
  await writeFile(path(LOG), line(100) + line(50))
  expect((await run()).to?.lastTs).toEqual(new Date(1796032900_000))
  expect((await run()).to?.lastTs).toEqual(new Date(1796032900_000))
  await appendFile(path(LOG), line(40))
  expect((await run()).to?.lastTs).toEqual(new Date(1796032900_000))
})

test('an empty log, and one whose first line is not whole yet, leave no checkpoint', async () => {
  await writeFile(path(LOG), '')
  expect(await run()).toMatchObject({ more: false, to: undefined, missing: false })
  await appendFile(path(LOG), line(1).slice(0, 30))
  expect((await run()).to).toBeUndefined()
  await appendFile(path(LOG), line(1).slice(30))
  expect((await run()).seen).toEqual([1])
})

test('every file is closed again, whatever happens', async () => {
  await writeFile(path(ROTATED), lines(1, 3))
  await writeFile(path(LOG), lines(4))
  const opened: Awaited<ReturnType<typeof open>>[] = []
  const real = logs
  const watch = async (name: string) => {
    const handle = await real.open(name)
    opened.push(handle)
    return handle
  }
  logs = {
    ...real,
    open: watch,
    resolve: (name) => ({ path: name, open: () => watch(name) }),
    list: async (name) => (await real.list(name)).map((file) => ({ path: file.path, open: () => watch(file.path) })),
  }
  const abort = new AbortController()
  await expect(run({ signal: abort.signal, progress: () => abort.abort(new Error('stop')) })).rejects.toThrow('stop')
  await expect(run({ readFinished: () => Promise.reject(new Error('away')) })).rejects.toThrow('away')
  await run({ limits: { bytes: 1, ms: 20_000, listeners: 1 } })
  await run()
  expect(opened.length).toBeGreaterThan(8)
  expect(opened.map(({ fd }) => fd).filter((fd) => fd !== -1)).toEqual([])
})
