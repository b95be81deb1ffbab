import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openBytes } from './byte-source.ts'
import type { Packing } from './rotated-name.ts'

const folder = await mkdtemp(join(tmpdir(), 'byte-source-'))
afterAll(() => rm(folder, { recursive: true }))

const text = Buffer.from(Array.from({ length: 30_000 }, (_, index) => `{"line":${index},"half":${index / 2}}\n`).join(''))

async function read(
  content: Buffer,
  packing: Packing,
  { from = 0, most = Number.POSITIVE_INFINITY, signal = new AbortController().signal } = {},
) {
  const path = join(folder, 'file')
  await writeFile(path, content)
  const file = await open(path)
  const source = openBytes(file, { packing, from, signal })
  const into = Buffer.alloc(100_000)
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    for (let got = -1; got !== 0 && bytes < most; bytes += got) {
      got = await source.read(into, 7, 90_000)
      pieces.push(Buffer.from(into.subarray(7, 7 + got)))
    }
    return { bytes, content: Buffer.concat(pieces), damaged: source.damaged }
  } finally {
    await source.close()
    await file.close()
  }
}

const packed = { plain: text, gzip: zlib.gzipSync(text), zstd: zlib.zstdCompressSync(text) } as const
const packings = ['plain', 'gzip', 'zstd'] as const

test.each(packings)('%s: all of it, and from any place on', async (packing) => {
  expect((await read(packed[packing], packing)).content.equals(text)).toBe(true)
  for (const from of [1, 262_143, 262_144, 262_145, text.length - 1, text.length, text.length + 1]) {
    const { content, damaged } = await read(packed[packing], packing, { from })
    expect(content.equals(text.subarray(from)), String(from)).toBe(true)
    expect(damaged).toBe(false)
  }
})

test.each(['gzip', 'zstd'] as const)('%s: several in one file are one', async (packing) => {
  const two = Buffer.concat([packed[packing], packed[packing]])
  const { content, damaged } = await read(two, packing, { from: 10 })
  expect(content.length).toBe(text.length * 2 - 10)
  expect(damaged).toBe(false)
})

test.each(['gzip', 'zstd'] as const)('%s: what was cut off is damaged; what came before is read', async (packing) => {
  const { content, damaged } = await read(packed[packing].subarray(0, packed[packing].length / 2), packing)
  expect(damaged).toBe(true)
  expect(content.length).toBeGreaterThan(100_000)
  expect(text.subarray(0, content.length).equals(content)).toBe(true)
})

test.each(['gzip', 'zstd'] as const)('%s: bits that have changed, rubbish behind, something else altogether, nothing', async (packing) => {
  const changed = Buffer.from(packed[packing]).fill(0xff, 10_000, 10_040)
  expect((await read(changed, packing)).damaged).toBe(true)
  const longer = await read(Buffer.concat([packed[packing], Buffer.from('rubbish rubbish')]), packing)
  expect(longer.damaged).toBe(true)
  expect(longer.bytes).toBeGreaterThan(text.length - 262_144)
  expect(await read(text, packing)).toEqual({ bytes: 0, content: Buffer.alloc(0), damaged: true })
  expect((await read(Buffer.alloc(0), packing)).bytes).toBe(0)
})

test('damage before the place to go on from is the end as well', async () => {
  const half = packed.gzip.subarray(0, packed.gzip.length / 2)
  expect(await read(half, 'gzip', { from: text.length - 10 })).toEqual({ bytes: 0, content: Buffer.alloc(0), damaged: true })
})

test('a bomb is unpacked only as far as it is read', async () => {
  const bomb = Buffer.concat(Array(40).fill(zlib.zstdCompressSync(Buffer.alloc(100_000_000))))
  expect(bomb.length).toBeLessThan(1_000_000)
  const before = process.memoryUsage().rss
  const { bytes } = await read(bomb, 'zstd', { most: 1_000_000 })
  expect(bytes).toBeLessThan(1_100_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
})

test('a window that would need more memory than a log ever does is refused', async () => {
  const { ZSTD_c_windowLog, ZSTD_c_enableLongDistanceMatching } = zlib.constants
  const wide = zlib.createZstdCompress({ params: { [ZSTD_c_windowLog]: 27, [ZSTD_c_enableLongDistanceMatching]: 1 } })
  wide.end(text)
  expect(await read(Buffer.concat(await wide.toArray()), 'zstd')).toMatchObject({ bytes: 0, damaged: true })
})

test('an aborted signal ends the way to the place to go on from', async () => {
  await expect(read(packed.gzip, 'gzip', { from: text.length, signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
})

test('what the disk says is no damage', async () => {
  const path = join(folder, 'closed')
  await writeFile(path, packed.gzip)
  const file = await open(path)
  const source = openBytes(file, { packing: 'gzip', from: 0, signal: new AbortController().signal })
  await file.close()
  await expect(source.read(Buffer.alloc(10), 0, 10)).rejects.toThrow()
  expect(source.damaged).toBe(false)
})
