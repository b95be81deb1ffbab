import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createCounter } from './counter.ts'
import { createDayClock } from './local-day.ts'
import { type ReadLogOptions, readLog } from './read-log.ts'

const folder = await mkdtemp(join(tmpdir(), 'read-log-'))
const path = join(folder, 'access.log')
const log = { path: 'access.log', open: () => open(path) }
afterAll(() => rm(folder, { recursive: true }))

const MIB = 1024 * 1024

async function read(from?: ReadLogOptions['from']) {
  const counter = createCounter({
    mediaPrefixes: ['/media/'],
    episodes: {},
    clock: createDayClock('UTC'),
    now: new Date('2026-11-30T12:00:00Z'),
  })
  const fractions: number[] = []
  const reading = await readLog(log, {
    from,
    counter,
    signal: new AbortController().signal,
    progress: (fraction) => fractions.push(fraction),
  })
  return { ...reading, counter, fractions }
}

const request = (seconds: number, address: string) =>
  `${JSON.stringify({ ts: seconds, request: { client_ip: address, method: 'GET', uri: '/media/a.mp3' }, status: 200, size: 9 })}\n`

test('one run reads 64 MiB and says that there is more; the next goes on there', async () => {
  await writeFile(path, `${'x'.repeat(MIB - 1)}\n`.repeat(66))
  const first = await read()
  expect(first).toMatchObject({ fromOffset: 0, more: true, to: { byteOffset: 64 * MIB, size: 66 * MIB } })
  const second = await read(first.to)
  expect(second).toMatchObject({ fromOffset: 64 * MIB, more: false, to: { byteOffset: 66 * MIB } })
  expect(second.counter.lines).toBe(2)
})

test('one run holds 100,000 listeners and leaves the rest', async () => {
  const addresses = Array.from({ length: 100_500 }, (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`)
  await writeFile(path, addresses.map((address) => request(1796032800, address)).join(''))
  const first = await read()
  expect(first.counter.size).toBe(100_000)
  expect(first.more).toBe(true)
  const second = await read(first.to)
  expect(second.counter.size).toBe(500)
  expect(second.more).toBe(false)
})

test('progress grows to 1', async () => {
  await writeFile(path, `${'x'.repeat(1000)}\n`.repeat(2000))
  const { fractions } = await read()
  expect(fractions.length).toBeGreaterThan(3)
  expect([...fractions].sort((a, b) => a - b)).toEqual(fractions)
  expect(fractions.at(-1)).toBe(1)
})

test('the latest time is kept, over lines out of order and over runs', async () => {
  await writeFile(path, request(1796032800, '10.0.0.1') + request(1796032700, '10.0.0.1'))
  const first = await read()
  expect(first.to.lastTs).toEqual(new Date(1796032800_000))
  expect((await read(first.to)).to.lastTs).toEqual(new Date(1796032800_000))
  await writeFile(path, request(1796032600, '10.0.0.1'))
  expect((await read(first.to)).to.lastTs).toEqual(new Date(1796032800_000))
})

test('an empty log', async () => {
  await writeFile(path, '')
  expect(await read()).toMatchObject({ fromOffset: 0, more: false, to: { byteOffset: 0, size: 0, headLength: 0, lastTs: null } })
})
