import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { maskLine } from './mask-line.ts'

test.each([
  ['not json at all', 'x x x x'],
  ['{"level":"info","ts":', '{"level":"info","ts":'],
  [
    '{"level":"info","ts":1796062100.1,"request":{"remote_ip":"203.0.113.9","uri":"/media/ep0',
    '{"level":"info","ts":x.x,"request":{"remote_ip":"x.x.x.x","uri":"/x/x',
  ],
  [
    '{"request":{"headers":{"User-Agent":["Overcast/3.0 (+http://overcast.fm/)"]',
    '{"request":{"headers":{"User-Agent":["x/x.x (+http://x.x/)"]',
  ],
  ['2001:db8::1 - - [01/Jun/2026] "GET /æøå"', 'x:x::x - - [x/x/x] "GET /x"'],
  ['\0\0\0', '·'],
  ['a\tb\u202ec', 'x·x·x'],
])('%j', (line, shape) => {
  expect(maskLine(line)).toBe(shape)
})

test('is short, and costs little', () => {
  expect(maskLine('{'.repeat(1_000_000))).toHaveLength(160)
  expect(maskLine('x1.'.repeat(1_000_000)).length).toBeLessThanOrEqual(160)
})

test('nothing of any sample line that belongs to a listener is in its shape', async () => {
  const log = await readFile(new URL('../test/fixtures/caddy.log', import.meta.url), 'utf8')
  for (const line of log.trim().split('\n')) {
    const { request } = JSON.parse(line)
    const words = [
      request.remote_ip,
      request.remote_port,
      request.uri,
      ...(request.headers['User-Agent']?.[0] ?? '').split(/[^\p{L}\p{N}]+/u),
    ]
    for (const word of words.filter((text) => text.length > 4 && text !== 'Agent')) expect(maskLine(line)).not.toContain(word)
  }
})
