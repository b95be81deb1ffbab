import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { describeHandler } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import statsParse from '../src/index.ts'
import { accessLine, fixtures, sampleNow, sampleSettings, setup } from './support.ts'

describeHandler({
  package: statsParse,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices({ db }, logRoot) {
    const { logs, collections, statistics } = createServices({ db, logRoot })
    return { logs, collections, statistics: { ...statistics, now: async () => sampleNow } }
  },
  async arrange({ db }, logRoot) {
    await copyFile(join(fixtures, 'caddy.log'), join(logRoot, 'access.log'))
    const { id } = await insertNode(db, { metadata: JSON.stringify({ jobs: sampleSettings }) })
    return { collectionNodeId: id, payload: { logPath: 'access.log' } }
  },
  badPayloads: [{}, { logPath: '' }, { logPath: 7 }, { logPath: 'a'.repeat(501) }],
  ignoreColumns: ['podcast_log_checkpoints.updated_at'],
})

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

test('a packed part that cannot be unpacked from its beginning is told, not passed over', async () => {
  const collection = await t.insertCollection()
  await mkdir(join(t.logRoot, 'broken'))
  await t.writeLog('', 'broken/access.log')
  await t.writeLog('no gzip at all, but called so', 'broken/access.log.1.gz')
  await writeFile(join(t.logRoot, 'broken/access.log.2.gz'), gzipSync(''))
  const result = await t.run(collection, { logPath: 'broken/access.log' })
  expect(result.unreadable).toEqual(['broken/access.log.1.gz'])
})

test('a result has room for the names of twenty files, however many were read', async () => {
  const collection = await t.insertCollection()
  const name = (n: number) => `many/access-2026-11-30T18-00-${String(n).padStart(2, '0')}.000.log`
  await mkdir(join(t.logRoot, 'many'))
  for (let n = 0; n < 30; n++) {
    await t.writeLog(accessLine({ at: `2026-11-30T18:00:${String(n).padStart(2, '0')}Z`, address: `203.0.113.${n}` }), name(n))
    await t.writeLog('', `many/access.log.${n + 1}.xz`)
  }
  const result = await t.run(collection, { logPath: 'many/access.log' })
  expect(result).toMatchObject({ lines: 30, downloads: 30, filesRead: 30 })
  expect(result.files.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, n) => name(n + 10)))
  expect(result.unreadable).toHaveLength(20)
})

test.each([
  ['a collection that names no media folders', { settings: {} }, 'MEDIA_PREFIXES_MISSING'],
  ['a log that is not there', { logPath: 'nope.log' }, 'FILE_MISSING'],
  ['a path that leaves the folder', { logPath: '../access.log' }, 'FILE_PATH_TRAVERSAL'],
])('permanent: %s', async (_name, { settings, logPath }: { settings?: object; logPath?: string }, code) => {
  const collection = await t.insertCollection(settings)
  await expect(t.run(collection, logPath === undefined ? {} : { logPath })).rejects.toMatchObject({ code, kind: 'permanent' })
})
