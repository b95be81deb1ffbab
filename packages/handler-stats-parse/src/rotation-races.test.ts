import { appendFile, rename, writeFile } from 'node:fs/promises'
import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { LOG, lines, ROTATED, useLogFolder } from '../test/log-folder.ts'

// What happens while a run is under way.
const log = useLogFolder()
const { path, run, gzip } = log

test('rotation in the middle of reading: the open file is the old one, and the rest comes with the next run', async () => {
  await writeFile(path(LOG), lines(1, 4))
  let rotation: Promise<void> | undefined
  const limits = { bytes: lines(1, 2).length, ms: 20_000, listeners: 100_000 }
  const progress = () => {
    rotation ??= rotate()
  }
  const first = await run({ limits, progress })
  expect(first).toMatchObject({ seen: [1, 2], more: true })
  await rotation
  expect(await run()).toMatchObject({ seen: [3, 4, 5, 6], missing: false, more: false })

  async function rotate() {
    await appendFile(path(LOG), lines(5))
    await rename(path(LOG), path(ROTATED))
    await writeFile(path(LOG), lines(6))
    await gzip(ROTATED)
  }
})

test('rotation between the look at the log and the list: it is in the list, and only once', async () => {
  await writeFile(path(LOG), lines(1, 3))
  await run()
  await rename(path(LOG), path('access-2026-11-30T18-00-00.000.log'))
  await writeFile(path(LOG), lines(4, 5))
  const real = log.logs
  log.logs = { ...real, list: (name) => rotateOnce().then(() => real.list(name)) }
  const first = await run()
  expect(first.seen).toEqual([4, 5])
  expect((await run()).seen).toEqual([6])

  async function rotateOnce() {
    log.logs = real
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
  const real = log.logs
  let listed = 0
  log.logs = {
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
  const readFinished = () => gzip(ROTATED).then(() => [...log.memory.finished.values()])
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
