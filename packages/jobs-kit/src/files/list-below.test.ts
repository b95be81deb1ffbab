import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileRoot } from './file-root.ts'

let base: string
let folder: string

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'list-below-')))
  folder = join(base, 'root')
  await mkdir(join(folder, 'logs', 'deeper'), { recursive: true })
  await mkdir(join(base, 'outside'))
  await writeFile(join(base, 'outside', 'secret.log'), 'secret')
  await writeFile(join(folder, 'top.log'), '')
  for (const name of ['b.log', 'a.log', 'å.log', 'with\nline feed', 'back\\slash']) await writeFile(join(folder, 'logs', name), name)
  await writeFile(join(folder, 'logs', 'deeper', 'c.log'), '')
  await symlink('a.log', join(folder, 'logs', 'link.log'))
  await symlink(join(base, 'outside'), join(folder, 'folder out'))
  await symlink('logs', join(folder, 'folder in'))
  await symlink(folder, join(base, 'link to root'))
  execFileSync('mkfifo', [join(folder, 'logs', 'fifo')])
})
afterAll(() => rm(base, { recursive: true, force: true }))

const list = async (path: string, root = folder) => (await createFileRoot({ root, name: 'LOG_ROOT' }).list(path)).map((file) => file.path)

test('regular files with plain names, sorted; no links, folders or pipes, nothing deeper', async () => {
  expect(await list('logs')).toEqual(['logs/a.log', 'logs/b.log', 'logs/å.log'])
})

test('the root itself, also when it is a link', async () => {
  expect(await list('')).toEqual(['top.log'])
  expect(await list('', join(base, 'link to root'))).toEqual(['top.log'])
})

test('what is listed opens as if it had been named', async () => {
  const [first] = await createFileRoot({ root: folder, name: 'LOG_ROOT' }).list('logs')
  const handle = await first?.open()
  expect(await handle?.readFile('utf8')).toBe('a.log')
  await handle?.close()
})

test.each([
  ['nowhere', 'FILE_MISSING'],
  ['top.log', 'FILE_MISSING'],
  ['folder out', 'FILE_MISSING'],
  ['folder in/deeper', 'FILE_SYMLINK'],
  ['../outside', 'FILE_PATH_TRAVERSAL'],
  ['.', 'FILE_PATH_INVALID'],
  ['/srv/logs', 'FILE_PATH_ABSOLUTE'],
])('refused: %s', async (path, code) => {
  await expect(list(path)).rejects.toMatchObject({ kind: 'permanent', code })
})

test('a root that has gone away is no fault of the job', async () => {
  await expect(list('', join(base, 'gone'))).rejects.toMatchObject({ kind: 'transient', code: 'FILE_ROOT_GONE' })
})

/** Swaps the folder with a link out of the root until it is told to stop. */
const swapper = `
  const { renameSync } = require('node:fs')
  const { name, real, link, stop } = require('node:worker_threads').workerData
  while (Atomics.load(stop, 0) === 0) {
    renameSync(name, real)
    renameSync(link, name)
    renameSync(name, link)
    renameSync(real, name)
  }
`

test('three hundred listings while the folder is swapped with a link out of the root', { timeout: 60_000 }, async () => {
  await mkdir(join(folder, 'swapped'))
  await writeFile(join(folder, 'swapped', 'mine.log'), '')
  await symlink(join(base, 'outside'), join(folder, 'swapped link'))
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const names = { name: join(folder, 'swapped'), real: join(folder, 'swapped real'), link: join(folder, 'swapped link') }
  const worker = new Worker(swapper, { eval: true, workerData: { ...names, stop } })
  await new Promise((resolve) => worker.once('online', resolve))
  const seen = new Set<string>()
  try {
    for (let i = 0; i < 300 || seen.size < 2; i++) seen.add(await list('swapped').then(String, (error: { code: string }) => error.code))
  } finally {
    Atomics.store(stop, 0, 1)
    await new Promise((resolve) => worker.once('exit', resolve))
  }
  const right = ['swapped/mine.log', 'FILE_MISSING', 'FILE_SYMLINK']
  expect([...seen].filter((outcome) => !right.includes(outcome))).toEqual([])
  expect(seen).toContain('swapped/mine.log')
})
