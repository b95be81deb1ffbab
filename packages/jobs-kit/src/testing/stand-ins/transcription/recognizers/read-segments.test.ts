import { expect, test } from 'vitest'
import { readSegments } from './read-segments.ts'

test('words become segments that end at pauses', () => {
  const output = [
    'hello there you',
    '<s> 0.080 0.140 0.999900',
    'hello(2) 0.150 0.570 1.000100',
    '<sil> 0.580 0.700 0.563399',
    "it's 0.710 1.140 0.500000",
    '[NOISE] 1.150 1.200 0.900000',
    '</s> 1.210 1.500 1.000000',
    'you',
    'you 1.600 1.900 0.250000',
    '',
  ].join('\n')
  const segments = readSegments(output)
  expect(segments).toMatchObject([
    { start: 0.15, end: 1.14, text: " hello it's", words: [{ word: 'hello', probability: 1 }, { word: "it's" }] },
    { start: 1.6, end: 1.9, text: ' you', avg_logprob: Math.log(0.25) },
  ])
  expect(segments[0]?.avg_logprob).toBeCloseTo((0 + Math.log(0.5)) / 2)
})

test('nothing said, no segments', () => {
  expect(readSegments('')).toEqual([])
  expect(readSegments('\n<s> 0.080 0.140 0.999900\n<sil> 0.1 0.2 0.5\n</s> 1.210 1.500 1.000000\n')).toEqual([])
})

test('speech without a pause ends a segment after 30 s', () => {
  const words = Array.from({ length: 80 }, (_, second) => `word ${second}.000 ${second}.900 0.900000`)
  expect(readSegments(words.join('\n')).map(({ start, end }) => Math.round(end - start))).toEqual([30, 30, 20])
})
