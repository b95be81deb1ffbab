import { expect, test } from 'vitest'
import type { AccessLine } from './access-line.ts'
import { receivedBytes } from './received.ts'

const get = (change: Partial<AccessLine>): AccessLine => ({
  seconds: 1796062127,
  method: 'GET',
  status: 200,
  size: 1000,
  uri: '/media/ep001.mp3',
  address: '203.0.113.9',
  userAgent: 'Overcast/3.0',
  range: undefined,
  purpose: undefined,
  contentRange: undefined,
  contentLength: undefined,
  contentType: 'audio/mpeg',
  contentEncoding: undefined,
  ...change,
})

test.each([
  { name: 'the whole file', line: get({ contentLength: '1000' }), expected: { ranges: [0, 1000], totalBytes: 1000 } },
  { name: 'a listener who left early', line: get({ size: 300, contentLength: '1000' }), expected: { ranges: [0, 300], totalBytes: 1000 } },
  {
    name: 'more in the kernel than in the file',
    line: get({ size: 1200, contentLength: '1000' }),
    expected: { ranges: [0, 1000], totalBytes: 1000 },
  },
  { name: 'no length in the log', line: get({}), expected: { ranges: [0, 1000], totalBytes: undefined } },
  { name: 'a length that is no number', line: get({ contentLength: 'x' }), expected: { ranges: [0, 1000], totalBytes: undefined } },
  {
    name: 'a compressed answer',
    line: get({ size: 700, contentLength: '700', contentEncoding: 'gzip' }),
    expected: { ranges: [0, 700], totalBytes: undefined },
  },
  {
    name: 'a part, placed by the answer',
    line: get({ status: 206, size: 200, range: 'bytes=0-', contentRange: 'bytes 100-299/1000' }),
    expected: { ranges: [100, 300], totalBytes: 1000 },
  },
  {
    name: 'a part that was cut off',
    line: get({ status: 206, size: 50, range: 'bytes=100-299', contentRange: 'bytes 100-299/1000' }),
    expected: { ranges: [100, 150], totalBytes: 1000 },
  },
  {
    name: 'a part, placed by the question',
    line: get({ status: 206, size: 200, range: 'bytes=100-299' }),
    expected: { ranges: [100, 300], totalBytes: undefined },
  },
  {
    name: 'several parts (the body is larger by what stands between them)',
    line: get({ status: 206, size: 433, range: 'bytes=0-99,200-299' }),
    expected: { ranges: [0, 100, 200, 300], totalBytes: undefined },
  },
  {
    name: 'several parts, cut off in the second',
    line: get({ status: 206, size: 150, range: 'bytes=0-99,200-299' }),
    expected: { ranges: [0, 100, 200, 250], totalBytes: undefined },
  },
  {
    name: 'two bytes asked for',
    line: get({ status: 206, size: 2, range: 'bytes=0-1', contentRange: 'bytes 0-1/1000' }),
    expected: 'probe',
  },
  { name: 'one byte asked for', line: get({ status: 206, size: 1, range: 'bytes=0-0' }), expected: 'probe' },
  { name: 'two bytes asked for, everything sent', line: get({ range: 'bytes=0-1' }), expected: 'probe' },
  { name: 'two bytes elsewhere', line: get({ status: 206, size: 2, contentRange: 'bytes 998-999/1000' }), expected: 'probe' },
  { name: 'no body', line: get({ size: 0 }), expected: 'empty' },
  { name: 'a part without a place', line: get({ status: 206, size: 200 }), expected: 'unplaced' },
  { name: 'a part from the end of an unknown file', line: get({ status: 206, size: 200, range: 'bytes=-200' }), expected: 'unplaced' },
])('$name', ({ line, expected }) => {
  expect(receivedBytes(line)).toEqual(expected)
})

test('a size learnt from other requests places a part that counts from the end', () => {
  expect(receivedBytes(get({ status: 206, size: 200, range: 'bytes=-200' }), 1000)).toEqual({ ranges: [800, 1000], totalBytes: undefined })
})
