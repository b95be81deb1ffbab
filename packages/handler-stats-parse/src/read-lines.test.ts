import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBytes } from './byte-source.ts'
import { type ReadLinesOptions, readLines } from './read-lines.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-lines-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(content: string | Buffer, options: Partial<ReadLinesOptions> = {}) {
  const path = join(folder, 'access.log')
  await writeFile(path, content)
  const file = await open(path)
  const lines: string[] = []
  let tooLong = 0
  const { signal } = new AbortController()
  try {
    const result = await readLines(openBytes(file, { packing: 'plain', from: options.fromOffset ?? 0, signal }), {
      fromOffset: 0,
      final: false,
      maxBytes: 64 * 1024 * 1024,
      isTimeUp: () => false,
      signal,
      onLine: (line) => lines.push(line) > 0,
      onTooLong: () => {
        tooLong++
      },
      ...options,
    })
    return { ...result, lines, tooLong }
  } finally {
    await file.close()
  }
}

test('whole lines only: the last one without a line feed is left', async () => {
  expect(await read('a\nbb\n\nccc')).toEqual({ lines: ['a', 'bb', ''], offset: 6, stopped: false, tooLong: 0 })
})

test('goes on at an offset', async () => {
  expect(await read('a\nbb\nccc\n', { fromOffset: 5 })).toMatchObject({ lines: ['ccc'], offset: 9 })
})

test('an empty file, and an offset at the end', async () => {
  expect(await read('')).toMatchObject({ lines: [], offset: 0 })
  expect(await read('a\n', { fromOffset: 2 })).toMatchObject({ lines: [], offset: 2 })
})

test('lines that cross chunks come out whole, letters of several bytes too', async () => {
  const expected = Array.from({ length: 5000 }, (_, index) => `${index} ${'blåbær'.repeat(index % 60)}`)
  const { lines, offset } = await read(`${expected.join('\n')}\n`)
  expect(lines).toEqual(expected)
  expect(offset).toBe(Buffer.byteLength(`${expected.join('\n')}\n`))
})

test('a line of exactly 1 MiB is read, one byte more is dropped and said', async () => {
  const most = 'x'.repeat(1024 * 1024)
  const { lines, tooLong, offset } = await read(`a\n${most}\n${most}y\nb\n`)
  expect(lines).toEqual(['a', most, 'b'])
  expect(tooLong).toBe(1)
  expect(offset).toBe(2 * most.length + 7)
})

test('a hole of many MiB costs no memory and counts once', async () => {
  const { lines, tooLong } = await read(Buffer.concat([Buffer.from('a\n'), Buffer.alloc(20 * 1024 * 1024), Buffer.from('\nb\n')]))
  expect(lines).toEqual(['a', 'b'])
  expect(tooLong).toBe(1)
})

test('a hole larger than one run may read never stands in the way for ever', async () => {
  const content = Buffer.concat([Buffer.from('a\n'), Buffer.alloc(5 * 1024 * 1024), Buffer.from('\nb\n')])
  const seen: string[] = []
  let offset = 0
  for (let run = 0; run < 20 && offset < content.length; run++) {
    const result = await read(content, { fromOffset: offset, maxBytes: 2 * 1024 * 1024 })
    expect(result.offset).toBeGreaterThan(offset)
    offset = result.offset
    seen.push(...result.lines)
  }
  expect(offset).toBe(content.length)
  expect(seen).toContain('a')
  expect(seen).toContain('b')
})

test('stops at the end of the line that reaches the bound', async () => {
  expect(await read('aaaa\nbbbb\ncccc\n', { maxBytes: 7 })).toMatchObject({ lines: ['aaaa', 'bbbb'], offset: 10, stopped: true })
})

test('of a file that nobody writes to any more the last line is a line, with a line feed or without', async () => {
  expect(await read('a\nbb\nccc', { final: true })).toEqual({ lines: ['a', 'bb', 'ccc'], offset: 8, stopped: false, tooLong: 0 })
  expect(await read('a\nbb\n', { final: true })).toMatchObject({ lines: ['a', 'bb'], offset: 5 })
  expect(await read('a\n', { final: true, fromOffset: 2 })).toMatchObject({ lines: [], offset: 2 })
  const hole = Buffer.concat([Buffer.from('a\n'), Buffer.alloc(3 * 1024 * 1024)])
  expect(await read(hole, { final: true })).toMatchObject({ lines: ['a'], offset: hole.length, tooLong: 1 })
})

test('each line comes with the byte at which it begins', async () => {
  const begins: [string, number][] = []
  const content = 'xx\nblåbær\nlast'
  await read(content, { final: true, fromOffset: 3, onLine: (line, offset) => begins.push([line, offset]) > 0 })
  expect(begins).toEqual([
    ['blåbær', 3],
    ['last', 3 + 9],
  ])
})

test('time that is up ends the reading after a chunk, but never before anything was read', async () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`)
  const { offset, stopped } = await read(`${lines.join('\n')}\n`, { isTimeUp: () => true })
  expect(stopped).toBe(true)
  expect(offset).toBeGreaterThan(200_000)
  expect(offset).toBeLessThanOrEqual(256 * 1024)
  const long = 'x'.repeat(700_000)
  expect(await read(`${long}\nb\n`, { isTimeUp: () => true })).toMatchObject({ lines: [long, 'b'], stopped: true })
})

test('stops when told to', async () => {
  expect(await read('a\nb\nc\n', { onLine: (line) => line !== 'b' })).toMatchObject({ offset: 4, stopped: true })
})

test('an aborted signal ends the reading between chunks', async () => {
  const controller = new AbortController()
  const content = 'line\n'.repeat(200_000)
  const reading = read(content, { signal: controller.signal, onProgress: () => controller.abort(new Error('stop')) })
  await expect(reading).rejects.toThrow('stop')
})
