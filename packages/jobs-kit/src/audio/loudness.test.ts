import { describe, expect, test } from 'vitest'
import { createMeter } from './loudness.ts'

const sampleRate = 1_000
/** `[loudness, milliseconds]`, one after the other, in pieces of some samples. */
function measure(sound: [number, number][], { noiseDb = -40, minSilenceMs = 500, pieceLength = 77 } = {}) {
  const samples = sound.flatMap(([level, ms]) => Array<number>(ms).fill(level))
  const meter = createMeter({ sampleRate, noiseDb, minSilenceMs })
  for (let at = 0; at < samples.length; at += pieceLength) meter.add(Int16Array.from(samples.slice(at, at + pieceLength)))
  return meter.end()
}

describe('silences', () => {
  test.each<[string, [number, number][], [number, number][]]>([
    ['nothing at all', [], []],
    ['sound only', [[9_000, 2_000]], []],
    ['silence only', [[0, 2_000]], [[0, 2_000]]],
    [
      'at the beginning, in the middle and at the end',
      [
        [0, 600],
        [9_000, 10],
        [3, 700],
        [-9_000, 10],
        [0, 500],
      ],
      [
        [0, 600],
        [610, 1_310],
        [1_320, 1_820],
      ],
    ],
    [
      'too short',
      [
        [9_000, 10],
        [0, 499],
        [9_000, 10],
        [0, 499],
      ],
      [],
    ],
    [
      'a single loud sample ends one',
      [
        [0, 600],
        [9_000, 1],
        [0, 600],
      ],
      [
        [0, 600],
        [601, 1_201],
      ],
    ],
    [
      'just below -40 dB, just above',
      [
        [327, 600],
        [328, 600],
      ],
      [[0, 600]],
    ],
    ['the lowest sample there is', [[-32_768, 600]], []],
  ])('%s', (_name, sound, expected) => {
    expect(measure(sound).silences).toEqual(expected.map(([startMs, endMs]) => ({ startMs, endMs })))
  })

  test('are the same in whatever pieces the samples come', () => {
    const sound: [number, number][] = [
      [0, 600],
      [9_000, 33],
      [0, 777],
      [5, 100],
      [9_000, 1],
    ]
    const whole = measure(sound, { pieceLength: 10_000 })
    for (const pieceLength of [1, 2, 500, 633]) expect(measure(sound, { pieceLength })).toEqual(whole)
  })

  test('of very many the longest', () => {
    // 15,000 of 500 ms and one of 3 s.
    const sound = Array.from({ length: 15_000 }, (): [number, number][] => [
      [0, 500],
      [9_000, 1],
    ]).flat()
    const { silences } = measure([...sound, [0, 3_000]], { pieceLength: 65_536 })
    expect(silences).toEqual([{ startMs: 15_000 * 501, endMs: 15_000 * 501 + 3_000 }])
  })
})

test.each([
  [0, -90.3],
  [1, -90.3],
  [-32_768, 0],
  [32_767, 0],
  [16_384, -6],
  [-3_277, -20],
])('a loudest sample of %i is %d dB', (level, db) =>
  expect(
    measure([
      [0, 1],
      [level, 1],
    ]).maxVolumeDb,
  ).toBe(db),
)
