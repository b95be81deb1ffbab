import { execFileSync } from 'node:child_process'
import { link, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileRoot } from './file-root.ts'
import { locateByDescriptor, locateByIdentity } from './locate.ts'
import { openBelow } from './open-below.ts'
import { openingFailed } from './opening-failed.ts'

let base: string
let folder: string

/** `root/` is what may be read, `outside/` beside it is not. */
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'file-root-')))
  folder = join(base, 'root')
  await mkdir(join(folder, 'show'), { recursive: true })
  await mkdir(join(base, 'outside'))
  await writeFile(join(folder, 'show', 'episode 1.mp3'), 'sound')
  await writeFile(join(folder, 'linked twice.mp3'), 'sound')
  await link(join(folder, 'linked twice.mp3'), join(folder, 'linked twice too.mp3'))
  await writeFile(join(base, 'outside', 'secret.txt'), 'secret')
  await link(join(base, 'outside', 'secret.txt'), join(folder, 'hard link.txt'))
  await symlink(join(base, 'outside', 'secret.txt'), join(folder, 'link out.txt'))
  await symlink('../outside/secret.txt', join(folder, 'relative link out.txt'))
  await symlink('show/episode 1.mp3', join(folder, 'link in.mp3'))
  await symlink('nowhere', join(folder, 'dangling'))
  await symlink('loop', join(folder, 'loop'))
  await symlink(join(base, 'outside'), join(folder, 'folder out'))
  await symlink('show', join(folder, 'folder in'))
  await symlink(folder, join(base, 'link to root'))
  execFileSync('mkfifo', [join(folder, 'fifo')])
})

afterAll(() => rm(base, { recursive: true, force: true }))

const media = () => createFileRoot({ root: folder, name: 'MEDIA_ROOT' })
const refusal = (code: string) => expect.objectContaining({ code, kind: 'permanent' })

async function read(root: string, path: string): Promise<string> {
  const handle = await createFileRoot({ root, name: 'MEDIA_ROOT' }).open(path)
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

test('opens a file below the root, also when the root itself is a link', async () => {
  expect(await read(folder, 'show/episode 1.mp3')).toBe('sound')
  expect(await read(join(base, 'link to root'), 'show/episode 1.mp3')).toBe('sound')
})

test('resolve names a file and opens it later', async () => {
  const file = media().resolve('show/episode 1.mp3')
  expect(file.path).toBe('show/episode 1.mp3')
  const handle = await file.open()
  expect(await handle.readFile('utf8')).toBe('sound')
  await handle.close()
})

test('resolve refuses a bad path at once and touches no disk', () => {
  const nowhere = createFileRoot({ root: '/nowhere', name: 'MEDIA_ROOT' })
  expect(() => nowhere.resolve('../a')).toThrow(refusal('FILE_PATH_TRAVERSAL'))
  expect(nowhere.resolve('a').path).toBe('a')
})

const cases: [path: string, code: string][] = [
  ['../outside/secret.txt', 'FILE_PATH_TRAVERSAL'],
  ['show/../../outside/secret.txt', 'FILE_PATH_TRAVERSAL'],
  ['/etc/passwd', 'FILE_PATH_ABSOLUTE'],
  ['..\\outside\\secret.txt', 'FILE_PATH_BACKSLASH'],
  ['show/episode 1.mp3\0', 'FILE_PATH_INVALID'],
  ['missing.mp3', 'FILE_MISSING'],
  ['missing/episode.mp3', 'FILE_MISSING'],
  ['show/episode 1.mp3/x', 'FILE_MISSING'],
  ['show', 'FILE_NOT_REGULAR'],
  ['fifo', 'FILE_NOT_REGULAR'],
  ['link out.txt', 'FILE_SYMLINK'],
  ['relative link out.txt', 'FILE_SYMLINK'],
  ['link in.mp3', 'FILE_SYMLINK'],
  ['dangling', 'FILE_SYMLINK'],
  ['loop', 'FILE_SYMLINK'],
  ['loop/x', 'FILE_SYMLINK'],
  ['folder out/secret.txt', 'FILE_OUTSIDE_ROOT'],
  ['folder in/episode 1.mp3', 'FILE_SYMLINK'],
  ['hard link.txt', 'FILE_HARD_LINKED'],
  ['linked twice.mp3', 'FILE_HARD_LINKED'],
]

describe.each(cases)('%j', (path, code) => {
  test(`is refused with ${code} and names the path, not the server's folders`, async () => {
    const error = await media()
      .open(path)
      .then(
        (handle) => handle.close(),
        (reason: Error) => reason,
      )
    expect(error).toEqual(refusal(code))
    expect((error as Error).message).toContain(JSON.stringify(path).slice(0, -1))
    expect(inspect(error, { depth: 9 })).not.toContain(base)
  })
})

test('a socket is refused', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve))
  await expect(media().open('socket')).rejects.toEqual(refusal('FILE_NOT_REGULAR'))
  server.close()
})

test('a device is refused', async () => {
  const devices = createFileRoot({ root: '/dev', name: 'MEDIA_ROOT' })
  await expect(devices.open('null')).rejects.toEqual(refusal('FILE_NOT_REGULAR'))
  await expect(devices.open('zero')).rejects.toEqual(refusal('FILE_NOT_REGULAR'))
})

test('a root that went away is transient: a disk that is not mounted is no fault of the job', async () => {
  const gone = createFileRoot({ root: join(base, 'gone'), name: 'LOG_ROOT' })
  await expect(gone.open('a.log')).rejects.toMatchObject({ code: 'FILE_ROOT_GONE', kind: 'transient' })
})

test('what the system refuses otherwise', () => {
  const failed = (code: string) => openingFailed({ code, message: base }, { name: 'LOG_ROOT', path: 'a.log' })
  expect(failed('EACCES')).toEqual(refusal('FILE_UNREADABLE'))
  expect(failed('ENAMETOOLONG')).toEqual(refusal('FILE_PATH_INVALID'))
  expect(failed('EIO')).toMatchObject({ code: 'FILE_READ_FAILED', kind: 'transient', message: expect.stringContaining('EIO') })
  expect(inspect(failed('EIO'))).not.toContain(base)
})

describe('where there is no /proc', () => {
  const openWithout = (path: string) => openBelow({ name: 'MEDIA_ROOT', root: folder, path, locate: locateByIdentity })

  test('a file is opened', async () => {
    const handle = await openWithout('show/episode 1.mp3')
    expect(await handle.readFile('utf8')).toBe('sound')
    await handle.close()
  })

  test('links are refused', async () => {
    await expect(openWithout('folder out/secret.txt')).rejects.toEqual(refusal('FILE_OUTSIDE_ROOT'))
    await expect(openWithout('folder in/episode 1.mp3')).rejects.toEqual(refusal('FILE_SYMLINK'))
    await expect(openWithout('hard link.txt')).rejects.toEqual(refusal('FILE_HARD_LINKED'))
  })
})

test.each([locateByDescriptor, locateByIdentity])('a file renamed while it is opened is opened anew (%s)', async (locate) => {
  await writeFile(join(folder, 'access.log'), 'old')
  let rotated = false
  const handle = await openBelow({
    name: 'LOG_ROOT',
    root: folder,
    path: 'access.log',
    async locate(open, expected) {
      if (!rotated) {
        rotated = true
        await rename(join(folder, 'access.log'), join(folder, 'access-1.log'))
        await writeFile(join(folder, 'access.log'), 'new')
      }
      return await locate(open, expected)
    },
  })
  expect(await handle.readFile('utf8')).toBe('new')
  await handle.close()
})

describe('checkRoot', () => {
  const failure = (text: string) =>
    expect.objectContaining({
      code: 'FILE_ROOT_MISSING',
      kind: 'configuration',
      message: expect.stringMatching(new RegExp(`^LOG_ROOT is .*${text}`)),
    })
  const check = (root: string) => createFileRoot({ root, name: 'LOG_ROOT' }).checkRoot()

  test('a folder is fine', async () => {
    await expect(check(folder)).resolves.toBeUndefined()
  })

  test('a missing one and a file are named', async () => {
    await expect(check(join(base, 'gone'))).rejects.toEqual(failure('no such folder'))
    await expect(check(join(folder, 'show/episode 1.mp3'))).rejects.toEqual(failure('not a folder'))
    await expect(check(join(folder, 'show/episode 1.mp3/x'))).rejects.toEqual(failure('ENOTDIR'))
  })
})
