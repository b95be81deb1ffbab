import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { accessLine, setup } from './support.ts'

const all: Awaited<ReturnType<typeof setup>>[] = []
let t: Awaited<ReturnType<typeof setup>>
let collection: string
beforeEach(async () => {
  t = await setup(inject('server'))
  all.push(t)
  collection = await t.insertCollection()
})
afterAll(() => Promise.all(all.map((one) => one.drop())))

const ep002 = (app: string, downloads: number) => ['/media/ep002.mp3', '2026-11-30', app, downloads]

test('appended lines are added: a new listener counts, one from before does not count again', async () => {
  await t.writeLog(accessLine({ address: '203.0.113.1' }))
  await t.run(collection)
  await t.appendLog(accessLine({ address: '203.0.113.1' }) + accessLine({ address: '203.0.113.2' }))
  const result = await t.run(collection)
  expect(result).toMatchObject({ lines: 2, counted: 2 })
  expect(await t.downloads(collection)).toEqual([ep002('AntennaPod', 2)])
})

test('a listener whose bytes arrive over several runs counts in the run that completes the minute', async () => {
  const part = (start: number) =>
    accessLine({ size: 200_000 })
      .replace('"status":200', '"status":206')
      .replace('"resp_headers":{', `"resp_headers":{"Content-Range":["bytes ${start}-${start + 199_999}/937526"],`)
  await t.writeLog(part(0) + part(0))
  await t.run(collection)
  await t.appendLog(part(200_000))
  await t.run(collection)
  expect(await t.downloads(collection)).toEqual([])
  await t.appendLog(part(400_000))
  await t.run(collection)
  expect(await t.downloads(collection)).toEqual([ep002('AntennaPod', 1)])
  await t.appendLog(part(600_000))
  await t.run(collection)
  expect(await t.downloads(collection)).toEqual([ep002('AntennaPod', 1)])
})

test.each([1, 2, 5, 11])('a log that arrives %i lines at a time counts as it does in one piece', async (linesPerRun) => {
  await t.copyLog('caddy.log', 'whole.log')
  // The listener whose 200,000 bytes were too few comes back for the rest.
  const rest = accessLine({ address: '127.0.0.5', agent: 'NRK Radio/7.1.0 (Android 14)', uri: '/media/ep001.mp3', size: 5_760_566 })
  await t.appendLog(rest.replace('937526', '5760566'), 'whole.log')
  await t.run(collection, { logPath: 'whole.log' })
  const expected = await t.downloads(collection)
  expect(expected).toContainEqual(['/media/ep001.mp3', '2026-11-30', 'NRK Radio', 1])

  const slow = await t.insertCollection()
  const lines = (await readFile(join(t.logRoot, 'whole.log'), 'utf8')).split(/(?<=\n)/)
  for (let start = 0; start < lines.length; start += linesPerRun) {
    await t.appendLog(lines.slice(start, start + linesPerRun).join(''))
    await t.run(slow)
  }
  expect(await t.downloads(slow)).toEqual(expected)
})

test('a size learnt in one run decides in the next, where the log tells it no more', async () => {
  const bare = (line: string) => line.replace(/"resp_headers":\{.*?\]\}/, '"resp_headers":{}')
  await t.writeLog(accessLine({ address: '203.0.113.1' }))
  await t.run(collection)
  await t.appendLog(
    bare(accessLine({ address: '203.0.113.2', size: 500_000 })) + bare(accessLine({ address: '203.0.113.3', size: 300_000 })),
  )
  await t.run(collection)
  expect(await t.downloads(collection)).toEqual([ep002('AntennaPod', 2)])
})

test('the partial last line is left until it is whole', async () => {
  const line = accessLine()
  await t.writeLog(line + line.slice(0, 100))
  const first = await t.run(collection)
  expect(first).toMatchObject({ lines: 1, files: [{ fromOffset: 0, offset: line.length }], more: false })
  await t.appendLog(line.slice(100).replaceAll('203.0.113.1', '203.0.113.2'))
  expect(await t.run(collection)).toMatchObject({ lines: 1, counted: 1, files: [{ fromOffset: line.length }] })
  await t.appendLog('rubbish\n')
  expect(await t.run(collection)).toMatchObject({ skipped: { malformed: 1 } })
})

test('what breaks after the writing leaves nothing, and the next attempt counts everything once', async () => {
  await t.copyLog('caddy.log')
  const { write } = await t.read(collection)
  const before = await t.dump()
  await expect(
    t.commit(write, async () => {
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await t.dump()).toBe(before)
  await t.run(collection)
  expect((await t.downloads(collection)).reduce((sum, [, , , downloads]) => sum + Number(downloads), 0)).toBe(13)
})

test('a write that is called again, after a deadlock or a lost connection, writes all of it', async () => {
  await t.copyLog('caddy.log')
  const { write } = await t.read(collection)
  await expect(t.commit(write, () => Promise.reject(new Error('deadlock')))).rejects.toThrow('deadlock')
  await t.commit(write)
  expect((await t.downloads(collection)).reduce((sum, [, , , downloads]) => sum + Number(downloads), 0)).toBe(13)
})

test('what breaks in the middle of the writing leaves nothing either', async () => {
  await t.copyLog('caddy.log')
  await t.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on podcast_downloads for each row when (new.app = 'unknown') execute function refuse()`)
  await expect(t.run(collection)).rejects.toThrow('refused')
  for (const table of ['log_checkpoints', 'salts', 'episode_files', 'listener_days', 'downloads']) {
    expect(await t.count(`podcast_${table}`), table).toBe(0)
  }
  await t.pool.query('drop trigger refuse on podcast_downloads')
  await t.run(collection)
  expect(await t.count('podcast_downloads')).toBe(10)
})

test('of two runs that read the same lines one writes, the other is told to come back', async () => {
  await t.writeLog(accessLine())
  await t.run(collection)
  await t.appendLog(accessLine({ address: '203.0.113.2' }))
  const [one, two] = [await t.read(collection), await t.read(collection)]
  const outcomes = await Promise.allSettled([t.commit(one.write), t.commit(two.write)])
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toMatchObject([{ reason: { code: 'CHECKPOINT_MOVED', kind: 'transient' } }])
  expect(await t.downloads(collection)).toEqual([ep002('AntennaPod', 2)])
})

test('the same for the very first run', async () => {
  await t.copyLog('caddy.log')
  const runs = await Promise.all([t.read(collection), t.read(collection), t.read(collection)])
  const outcomes = await Promise.allSettled(runs.map(({ write }) => t.commit(write)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await t.downloads(collection)).reduce((sum, [, , , downloads]) => sum + Number(downloads), 0)).toBe(13)
})

test('two logs of one collection at once: every listener once, no deadlock', async () => {
  const addresses = Array.from({ length: 300 }, (_, index) => `198.51.100.${index % 250}`)
  await t.writeLog(addresses.map((address) => accessLine({ address })).join(''), 'one.log')
  await t.writeLog(
    addresses
      .toReversed()
      .map((address) => accessLine({ address }))
      .join(''),
    'two.log',
  )
  const runs = await Promise.all(['one.log', 'two.log'].map((logPath) => t.read(collection, { logPath })))
  await Promise.all(runs.map(({ write }) => t.commit(write)))
  expect(await t.downloads(collection)).toEqual([ep002('AntennaPod', 250)])
})

test('a new file under the old name is read from its beginning, and listeners of before are known again', async () => {
  await t.copyLog('caddy.log')
  await t.run(collection)
  const before = await t.downloads(collection)
  await rename(join(t.logRoot, 'access.log'), join(t.logRoot, 'access-old.log'))
  const old = await readFile(join(t.logRoot, 'access-old.log'), 'utf8')
  await t.writeLog(accessLine({ address: '203.0.113.200' }) + old)
  expect(await t.run(collection)).toMatchObject({ lines: 44, files: [{ fromOffset: 0 }], missing: true })
  const after = await t.downloads(collection)
  expect(after.filter(([, , app]) => app !== 'AntennaPod')).toEqual(before.filter(([, , app]) => app !== 'AntennaPod'))
  expect(after).toContainEqual(ep002('AntennaPod', 1))
})

test('an aborted run stops reading and has nothing to write', async () => {
  await t.copyLog('caddy.log')
  const signal = AbortSignal.abort(new Error('stop'))
  await expect(t.read(collection, { signal })).rejects.toThrow('stop')
  expect(await t.count('podcast_log_checkpoints')).toBe(0)
})
