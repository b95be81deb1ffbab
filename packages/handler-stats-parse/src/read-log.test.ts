import { appendFile, type open, rename, writeFile } from 'node:fs/promises'
import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { LOG, line, lines, ROTATED, range, useLogFolder } from '../test/log-folder.ts'

const log = useLogFolder()
const { path, run, gzip } = log

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
  expect(log.memory.finished.size).toBe(2)
})

test('a run stops at its time, after the first chunk at the earliest', async () => {
  await writeFile(path(ROTATED), `${'x'.repeat(999)}\n`.repeat(1000))
  await writeFile(path(LOG), lines(1))
  let nowMs = 0
  const slow = {
    nowMs() {
      nowMs += 15_000
      return nowMs
    },
  }
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
  const real = log.logs
  const watch = async (name: string) => {
    const handle = await real.open(name)
    opened.push(handle)
    return handle
  }
  log.logs = {
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
