import { hash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import zlib from 'node:zlib'
import { enqueue } from '@sidelinja/jobs-core'
import { createWorker } from '@sidelinja/jobs-core/worker'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { statsParse } from '../src/job.ts'
import { accessLine, sampleNow, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterEach(() => rm(join(t.logRoot, 'access-2026-11-30T17-00-00.000.log.gz'), { force: true }))
afterAll(() => t.drop())

const HOUR_MS = 3_600_000
/** When 2026-11-30 is over in Oslo. */
const dayEnds = Date.parse('2026-11-30T23:00:00Z')

test('no address and no user agent of the log is in any table or result', async () => {
  const collection = await t.insertCollection()
  await t.copyLog('caddy.log')
  const result = await t.run(collection)
  const log = await readFile(join(t.logRoot, 'access.log'), 'utf8')
  const requests = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).request]))
  const secrets = new Set(
    requests.flatMap(({ remote_ip, headers }) => [remote_ip, ...(headers['User-Agent'] ?? []), ...(headers['X-Forwarded-For'] ?? [])]),
  )
  // `::1` is too short to look for.
  secrets.delete('::1')
  expect(secrets.size).toBeGreaterThan(25)
  const stored = (await t.dump()) + JSON.stringify(result)
  expect(stored).toContain('Overcast')
  for (const secret of secrets) {
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
  }
})

test('nor in a log line, an error, a statement or a parameter of a whole worker', async () => {
  const collection = await t.insertCollection()
  const secrets = ['203.0.113.77', '198.51.100.9', '2001:db8:aa:bb:1:2:3:4', '2001:db8:aa:bb', 'Secret-Player/1.0', 'Secret-Player']
  const [first = '', second = '', third = ''] = secrets
  const agent = 'Secret-Player/1.0'
  // Good lines, one that breaks off, one that is no JSON, one that Caddy's console format would write, and a file that is damaged.
  const good = [first, third].map((address) => accessLine({ address, agent })).join('')
  await t.writeLog(
    `${good}{"request":{"remote_ip":"${first}","headers":{"User-Agent":["${agent}"\n${second} - ${agent}\n2026/06/01 INFO ${first} ${agent}\n`,
  )
  await t.writeLog(
    zlib.gzipSync(accessLine({ address: second, agent }).repeat(50)).subarray(0, -9),
    'access-2026-11-30T17-00-00.000.log.gz',
  )

  const told: unknown[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const done = Promise.withResolvers<void>()
  const worker = createWorker({
    connection: t.connectionString,
    handlers: [t.handlerAt(sampleNow)],
    onEvent(event) {
      told.push(event)
      if (event.name === 'job.completed' || event.name === 'job.failed') done.resolve()
    },
  })
  const { id } = await enqueue(t.pool, statsParse, { logPath: 'access.log' }, { collectionNodeId: collection })
  await worker.start()
  await done.promise
  await worker.stop()
  const sent = query.mock.calls.map((call) => inspect(call, { depth: 6, maxArrayLength: null, maxStringLength: null }))
  query.mockRestore()

  const { rows } = await t.pool.query('select status, result from job_queue where id = $1', [id])
  expect(rows[0]).toMatchObject({ status: 'completed', result: { downloads: 3, skipped: { malformed: expect.any(Number) } } })
  expect(rows[0].result.malformed.length).toBeGreaterThanOrEqual(3)
  expect(sent.length).toBeGreaterThan(20)
  expect(sent.join('\n')).toContain('ep002')
  const everything = [...sent, ...told.map((event) => inspect(event, { depth: 9 })), await t.dump()].join('\n')
  const digests = secrets.flatMap((secret) => ['md5', 'sha1', 'sha256'].map((kind) => hash(kind, secret)))
  expect(
    [...secrets, ...digests, ...secrets.map((secret) => Buffer.from(secret).toString('hex'))].filter((text) => everything.includes(text)),
  ).toEqual([])
})

test('a salt of 32 bytes for each collection and day; the same listener has another hash in each', async () => {
  const [mine, other] = [await t.insertCollection(), await t.insertCollection()]
  await t.writeLog(accessLine({ at: '2026-11-30T18:00:00Z' }) + accessLine({ at: '2026-11-30T23:00:00Z' }))
  const now = new Date('2026-11-30T23:30:00Z')
  await t.run(mine, { now })
  await t.run(other, { now })
  const salts = await t.pool.query(
    'select day::text, octet_length(salt) as bytes, expires_at from podcast_salts where collection_node_id = $1 order by 1',
    [mine],
  )
  expect(salts.rows).toEqual([
    { day: '2026-11-30', bytes: 32, expires_at: new Date(dayEnds + 48 * HOUR_MS) },
    { day: '2026-12-01', bytes: 32, expires_at: new Date(dayEnds + 72 * HOUR_MS) },
  ])
  const hashes = await t.pool.query('select distinct listener_hash from podcast_listener_days where collection_node_id = any($1)', [
    [mine, other],
  ])
  expect(hashes.rowCount).toBe(4)
})

test('48 hours after its day the salt goes, and lines that come later are too late', async () => {
  const collection = await t.insertCollection()
  await t.writeLog(accessLine({ address: '203.0.113.1' }))
  await t.run(collection, { now: sampleNow })
  const salts = async () => (await t.pool.query('select 1 from podcast_salts where collection_node_id = $1', [collection])).rowCount

  await t.appendLog(accessLine({ address: '203.0.113.2' }))
  expect(await t.run(collection, { now: new Date(dayEnds + 48 * HOUR_MS - 1) })).toMatchObject({ counted: 1 })
  expect(await salts()).toBe(1)

  await t.appendLog(accessLine({ address: '203.0.113.3' }))
  const late = await t.run(collection, { now: new Date(dayEnds + 48 * HOUR_MS) })
  expect(late).toMatchObject({ lines: 1, counted: 0, skipped: { too_late: 1 } })
  expect(await salts()).toBe(0)
  expect(await t.downloads(collection)).toEqual([['/media/ep002.mp3', '2026-11-30', 'AntennaPod', 2]])
})

test('an old log of a collection without salts is too late altogether, and is still read to its end', async () => {
  const collection = await t.insertCollection()
  await t.copyLog('caddy.log')
  const result = await t.run(collection, { now: new Date('2027-01-15T12:00:00Z') })
  expect(result).toMatchObject({ lines: 43, counted: 0, skipped: { too_late: 25 }, files: [{ offset: 25_975 }] })
  expect(await t.downloads(collection)).toEqual([])
})
