import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compareMigrations } from '../scripts/lib/migration-checksums.mjs'
import { root } from './support/workspace.ts'

// A migration that has been on main is in databases, which compare its checksum: it is never edited, renamed or deleted.

test('every migration is what it was when it was added; npm run schema:update lists new ones', () => {
  expect(compareMigrations(root)).toEqual({ added: [], changed: [], gone: [] })
})

test.each(['queue', 'queue/adopt', 'handlers', 'roles', 'handler-roles'])(
  'no two files of migrations/%s have the same number',
  async (folder) => {
    const numbers = (await readdir(join(root, 'migrations', folder)))
      .filter((file) => file.endsWith('.sql'))
      .map((file) => file.slice(0, 4))
    expect(numbers.length).toBeGreaterThan(0)
    expect(numbers).toEqual([...new Set(numbers)])
  },
)

describe('npm run schema:update', () => {
  let copy: string
  beforeEach(async () => {
    copy = await mkdtemp(join(tmpdir(), 'migrations-'))
    await mkdir(join(copy, 'scripts'))
    for (const path of ['migrations', 'scripts/lib', 'scripts/list-migrations.mjs'])
      await cp(join(root, path), join(copy, path), { recursive: true })
  })
  afterEach(() => rm(copy, { recursive: true }))
  const list = () => readFile(join(copy, 'migrations/checksums.txt'), 'utf8')
  const update = () => promisify(execFile)(process.execPath, [join(copy, 'scripts/list-migrations.mjs')])

  test('adds a line for a new file and leaves the others as they are', async () => {
    const before = await list()
    await writeFile(join(copy, 'migrations/handlers/9999_new.sql'), 'select 1;\n')
    expect(compareMigrations(copy).added).toEqual(['migrations/handlers/9999_new.sql'])
    await update()
    const added = '4a45092ccf992ea92250053a80b931b787924ba61648f420555511b84f10ab6c  migrations/handlers/9999_new.sql\n'
    expect((await list()).replace(added, '')).toBe(before)
    expect(compareMigrations(copy)).toEqual({ added: [], changed: [], gone: [] })
  })

  test('refuses an edited file and changes nothing', async () => {
    const before = await list()
    await appendFile(join(copy, 'migrations/queue/0003_enqueue.sql'), '-- one more comment\n')
    expect(compareMigrations(copy).changed).toEqual(['migrations/queue/0003_enqueue.sql'])
    await expect(update()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^migrations\/queue\/0003_enqueue.sql is not what/),
    })
    expect(await list()).toBe(before)
  })

  test('refuses a file that is gone', async () => {
    await rename(join(copy, 'migrations/queue/0003_enqueue.sql'), join(copy, 'migrations/queue/0003_other.sql'))
    expect(compareMigrations(copy)).toMatchObject({
      added: ['migrations/queue/0003_other.sql'],
      gone: ['migrations/queue/0003_enqueue.sql'],
    })
    await expect(update()).rejects.toMatchObject({ code: 1 })
  })
})
