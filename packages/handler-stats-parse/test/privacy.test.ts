import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { accessLine, sampleNow, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
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

test('neither goes to PostgreSQL: not as text, not as a parameter', async () => {
  const collection = await t.insertCollection()
  await t.writeLog(accessLine({ address: '203.0.113.77', agent: 'Secret-Player/1.0' }))
  const { write } = await t.read(collection)
  const sent: string[] = []
  await t.db.transaction().execute(async (trx) => {
    const listening = trx.withPlugin({
      transformQuery: ({ node }) => {
        sent.push(JSON.stringify(node, (_key, value) => (typeof value === 'bigint' ? String(value) : value)))
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await write?.(listening as never)
  })
  expect(sent.length).toBeGreaterThan(5)
  expect(sent.join('\n')).toContain('ep002')
  expect(sent.join('\n')).not.toMatch(/203\.0\.113\.77|Secret-Player/)
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
