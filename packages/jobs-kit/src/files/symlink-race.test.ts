import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileRoot } from './file-root.ts'

const OPENS = 10_000

/** Swaps `name` between the real thing and the link, as fast as it can, until it is told to stop. */
const swapper = `
  const { renameSync } = require('node:fs')
  const { workerData } = require('node:worker_threads')
  const { name, real, link, stop } = workerData
  while (Atomics.load(stop, 0) === 0) {
    renameSync(name, real)
    renameSync(link, name)
    renameSync(name, link)
    renameSync(real, name)
  }
`

let base: string
let folder: string

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'symlink-race-')))
  folder = join(base, 'root')
  await mkdir(join(folder, 'show'), { recursive: true })
  await mkdir(join(base, 'outside'))
  await writeFile(join(folder, 'file.txt'), 'fine')
  await writeFile(join(folder, 'show', 'file.txt'), 'fine')
  await writeFile(join(base, 'outside', 'file.txt'), 'secret')
  await symlink(join(base, 'outside', 'file.txt'), join(folder, 'file link'))
  await symlink(join(base, 'outside'), join(folder, 'folder link'))
})

afterAll(() => rm(base, { recursive: true, force: true }))

test.each([
  { swapped: 'file.txt', link: 'file link', path: 'file.txt', refusal: 'FILE_SYMLINK' },
  { swapped: 'show', link: 'folder link', path: 'show/file.txt', refusal: 'FILE_OUTSIDE_ROOT' },
])(
  `${OPENS} opens of $path while $swapped is swapped with a link out of the root`,
  { timeout: 60_000 },
  async ({ swapped, link, path, refusal }) => {
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const names = { name: join(folder, swapped), real: join(folder, `real ${swapped}`), link: join(folder, link) }
    const worker = new Worker(swapper, { eval: true, workerData: { ...names, stop } })
    await new Promise((resolve) => worker.once('online', resolve))
    const seen = new Map<string, number>()
    try {
      for (let i = 0; i < OPENS; i++) {
        const outcome = await open(path)
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
    } finally {
      Atomics.store(stop, 0, 1)
      await new Promise((resolve) => worker.once('exit', resolve))
    }
    // Both sides of the race were met, and nothing else than these: above all never the text of the file outside.
    expect([...seen.keys()].filter((outcome) => !['fine', 'FILE_MISSING', 'FILE_SYMLINK', 'FILE_OUTSIDE_ROOT'].includes(outcome))).toEqual(
      [],
    )
    expect(seen.get('fine')).toBeGreaterThan(0)
    expect(seen.get(refusal)).toBeGreaterThan(0)
  },
)

async function open(path: string): Promise<string> {
  const handle = await createFileRoot({ root: folder, name: 'MEDIA_ROOT' })
    .open(path)
    .catch((error: { code: string }) => error.code)
  if (typeof handle === 'string') return handle
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
