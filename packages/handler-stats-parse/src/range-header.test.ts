import { expect, test } from 'vitest'
import { parseContentRange, parseRange } from './range-header.ts'

test.each([
  ['bytes 0-199999/5760566', { start: 0, end: 200_000, totalBytes: 5_760_566 }],
  ['bytes 5760438-5760565/5760566', { start: 5_760_438, end: 5_760_566, totalBytes: 5_760_566 }],
  ['bytes 7-7/*', { start: 7, end: 8, totalBytes: undefined }],
])('Content-Range: %s', (header, expected) => {
  expect(parseContentRange(header)).toEqual(expected)
})

test.each(['bytes */5760566', 'bytes 10-5/100', 'bytes 0-100/100', 'items 0-1/2', '', 'bytes 0-99999999999999999999/*'])(
  'Content-Range: %j cannot be used',
  (header) => {
    expect(parseContentRange(header)).toBeUndefined()
  },
)

test.each([
  ['bytes=0-1', [0, 2]],
  ['bytes=0-99,200000-299999', [0, 100, 200_000, 300_000]],
  ['Bytes = 0-99 , 200 - 299', [0, 100, 200, 300]],
  ['bytes=-128', [999_872, 1_000_000]],
  ['bytes=-9999999', [0, 1_000_000]],
  ['bytes=999000-', [999_000, 1_000_000]],
  ['bytes=0-9999999', [0, 1_000_000]],
  ['bytes=5-9,2000000-', [5, 10]],
])('Range: %s of a file of 1,000,000 bytes', (header, expected) => {
  expect(parseRange(header, 1_000_000, 500)).toEqual(expected)
})

test('without a known size an open range ends where the answer does, and one from the end has no place', () => {
  expect(parseRange('bytes=1000-', undefined, 500)).toEqual([1000, 1500])
  expect(parseRange('bytes=-128', undefined, 128)).toBeUndefined()
  expect(parseRange('bytes=0-9,-128', undefined, 300)).toBeUndefined()
})

test.each([undefined, '', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=5-2', 'bytes=,', 'items=0-1', 'bytes=2000000-'])(
  'Range: %j cannot be used',
  (header) => {
    expect(parseRange(header, 1_000_000, 500)).toBeUndefined()
  },
)

test('a part that is not there is passed over, as servers do, however many blanks stand for it', () => {
  expect(parseRange('bytes=0-9,', 100, 100)).toEqual([0, 10])
  // Half a million: by the square of their number this would take minutes.
  const blanks = ' '.repeat(500_000)
  expect(parseRange(`bytes=0-9,${blanks},20-29`, 100, 100)).toEqual([0, 10, 20, 30])
  expect(parseRange(`bytes=0-9,1${blanks}x`, 100, 100)).toBeUndefined()
})

test('of very many ranges the first 64 are read', () => {
  const header = `bytes=${Array.from({ length: 5000 }, (_, index) => `${index * 10}-${index * 10 + 1}`).join(',')}`
  expect(parseRange(header, 1_000_000, 10_000)).toHaveLength(128)
})
