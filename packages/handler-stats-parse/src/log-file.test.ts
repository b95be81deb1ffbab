import { appendFile, mkdtemp, open, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { findStart, identifyLog } from './log-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'log-file-'))
const path = join(folder, 'access.log')
beforeEach(() => rm(path, { force: true }))
afterAll(() => rm(folder, { recursive: true }))

async function checkpointAt(byteOffset: number): Promise<LogCheckpoint> {
  const file = await open(path)
  const identity = await identifyLog(file)
  await file.close()
  return { path: 'access.log', byteOffset, lastTs: null, ...identity }
}

async function startFrom(checkpoint: LogCheckpoint | undefined): Promise<number> {
  const file = await open(path)
  const { size } = await identifyLog(file)
  const start = await findStart(file, size, checkpoint)
  await file.close()
  return start
}

test('a file that was never read begins at 0', async () => {
  await writeFile(path, 'one\n')
  expect(await startFrom(undefined)).toBe(0)
})

test('the same file goes on at the offset, also when its short head has grown since', async () => {
  await writeFile(path, 'one\n')
  const checkpoint = await checkpointAt(4)
  expect(checkpoint.headLength).toBe(4)
  await appendFile(path, 'two\n'.repeat(5000))
  expect(await startFrom(checkpoint)).toBe(4)
})

test('only the first 4 KiB are compared', async () => {
  await writeFile(path, 'x'.repeat(10_000))
  expect((await checkpointAt(0)).headLength).toBe(4096)
})

test('an empty file, later filled', async () => {
  await writeFile(path, '')
  const checkpoint = await checkpointAt(0)
  await appendFile(path, 'one\n')
  expect(await startFrom(checkpoint)).toBe(0)
})

test('another file under the same name begins at 0', async () => {
  await writeFile(path, 'one\ntwo\n')
  const checkpoint = await checkpointAt(4)
  await rename(path, `${path}.1`)
  await writeFile(path, 'another one\nand more\n')
  expect(await startFrom(checkpoint)).toBe(0)
})

test('a file that was cut shorter than what was read begins at 0', async () => {
  await writeFile(path, 'one\ntwo\n')
  const checkpoint = await checkpointAt(8)
  await truncate(path, 4)
  expect(await startFrom(checkpoint)).toBe(0)
})

test('the same for a long file, whose head is still there', async () => {
  await writeFile(path, 'line\n'.repeat(3000))
  const checkpoint = await checkpointAt(15_000)
  await truncate(path, 5000)
  expect(await startFrom(checkpoint)).toBe(0)
})

test('a copy of the file (another inode, the same head) goes on at the offset', async () => {
  await writeFile(path, 'one\ntwo\n')
  const checkpoint = await checkpointAt(4)
  await rm(path)
  await writeFile(path, 'one\ntwo\nthree\n')
  expect(await startFrom(checkpoint)).toBe(4)
})
