import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'
import type { RoughSegment, Segment, SuspectReason } from './segment.ts'
import { tidySegments } from './tidy-segments.ts'
import { MAX_MS } from './timing.ts'

const rough = (startMs: number, endMs: number, text = `fra ${startMs}`): RoughSegment => ({ startMs, endMs, text })
const times = (segments: readonly Segment[]) => segments.map(({ startMs, endMs, suspect }) => [startMs, endMs, suspect.join(' ')])

describe('times', () => {
  test.each<[string, RoughSegment[], [number, number, string][]]>([
    [
      'good ones stay',
      [rough(0, 1000), rough(1000, 1500)],
      [
        [0, 1000, ''],
        [1000, 1500, ''],
      ],
    ],
    ['fractions are rounded', [rough(0.4, 999.6)], [[0, 1000, '']]],
    ['no length', [rough(1000, 1000)], [[1000, 1000, 'zero_length']]],
    [
      'backward: changed round',
      [rough(0, 1000), rough(5000, 3000)],
      [
        [0, 1000, ''],
        [3000, 5000, 'backward'],
      ],
    ],
    [
      'backward: not where that changes the order',
      [rough(4000, 5000), rough(6000, 1000)],
      [
        [4000, 5000, ''],
        [6000, 6000, 'backward zero_length'],
      ],
    ],
    [
      'unordered',
      [rough(5000, 6000), rough(1000, 2000)],
      [
        [1000, 2000, 'unordered'],
        [5000, 6000, ''],
      ],
    ],
    [
      'overlap',
      [rough(0, 5000), rough(3000, 4000), rough(2000, 6000)],
      [
        [0, 2000, 'overlap'],
        [2000, 3000, 'overlap unordered'],
        [3000, 4000, ''],
      ],
    ],
    [
      'before the beginning',
      [rough(-2000, -1000), rough(-500, 500)],
      [
        [0, 0, 'out_of_range zero_length'],
        [0, 500, 'out_of_range'],
      ],
    ],
    ['beyond all', [rough(0, 1e15)], [[0, MAX_MS, 'out_of_range']]],
    [
      'none',
      [rough(0, 1000), rough(Number.NaN, Number.NaN), rough(3000, Number.NaN)],
      [
        [0, 1000, ''],
        [1000, 1000, 'no_time zero_length'],
        [3000, 3000, 'no_time zero_length'],
      ],
    ],
    [
      'only an end',
      [rough(0, 1000), rough(Number.NaN, 2000)],
      [
        [0, 1000, ''],
        [1000, 2000, 'no_time'],
      ],
    ],
  ])('%s', (_name, segments, expected) => {
    expect(times(tidySegments(segments))).toEqual(expected)
  })

  test('after the end of the recording', () => {
    const segments = tidySegments([rough(0, 1000), rough(9000, 10_500), rough(30_000, 31_000)], { durationMs: 10_000 })
    expect(times(segments)).toEqual([
      [0, 1000, ''],
      [9000, 10_000, 'past_end'],
      [10_000, 10_000, 'past_end zero_length'],
    ])
    expect(segments[2]?.raw).toEqual({ startMs: 30_000, endMs: 31_000, text: 'fra 30000' })
  })

  test('those that begin together share the time by the length of their texts', () => {
    const segments = tidySegments([rough(1000, 5000, 'aaa'), rough(1000, 5000, 'b'), rough(1000, 1000, 'c'), rough(4000, 6000, 'd')])
    expect(times(segments)).toEqual([
      [1000, 3250, 'overlap'],
      [3250, 4000, 'overlap'],
      [4000, 4000, 'overlap zero_length'],
      [4000, 6000, ''],
    ])
  })
})

describe('texts', () => {
  test.each<[string, string, string, SuspectReason[]]>([
    ['blanks', '  Hei \t\n\n  du\r\nder ', 'Hei\ndu\nder', []],
    ['control characters', 'Hei\0der \u202eabc\u0007', 'Heider abc', ['odd_characters']],
    ['half a character', 'Hei \ud83d', 'Hei \ufffd', ['odd_characters']],
    ['signs of the recogniser', '<|nb|><|0.00|> Hei<|2.40|>', 'Hei', []],
    ['composed letters', 'Pa\u030a', 'På', []],
    ['other alphabets and what they need', 'سلام\u200f 👩\u200d🚀', 'سلام\u200f 👩\u200d🚀', []],
    ['signs only', '...', '...', ['no_words']],
  ])('%s', (_name, text, clean, suspect) => {
    expect(tidySegments([rough(0, 1000, text)])).toMatchObject([{ text: clean, suspect }])
  })

  test('keep what they were when more than blanks went', () => {
    const [blanks, signs] = tidySegments([rough(0, 1, ' Hei '), rough(1, 2, 'Hei\0 <|nb|>')])
    expect([blanks?.raw, signs?.raw]).toEqual([null, { startMs: 1, endMs: 2, text: 'Hei\ufffd <|nb|>' }])
  })

  test('without any text there is no segment', () => {
    expect(tidySegments([rough(0, 1000, ' \n '), rough(1000, 2000, '\0'), rough(2000, 3000, '<|nocaptions|>')])).toEqual([])
  })
})

describe('what looks invented', () => {
  const said = (...texts: string[]) => texts.map((text, index) => rough(index * 1000, (index + 1) * 1000, text))
  const suspects = (segments: readonly Segment[]) => segments.map(({ suspect }) => suspect.join(' '))

  test('three times the same is a loop, twice is not', () => {
    const loop = said('Ja.', 'ja', 'Hei.', 'Takk for nå!', ' takk for nå', 'Takk, for nå.', 'Nei')
    expect(suspects(tidySegments(loop))).toEqual(['', '', '', 'repeated', 'repeated', 'repeated', ''])
    expect(suspects(tidySegments(said('.', '…', '?')))).toEqual(['no_words repeated', 'no_words repeated', 'no_words repeated'])
  })

  test('what the recogniser itself does not believe', () => {
    const segment = rough(0, 1000)
    const seen = (more: Partial<RoughSegment>) => suspects(tidySegments([{ ...segment, ...more }]))[0]
    expect(seen({ compressionRatio: 2.5 })).toBe('compression')
    expect(seen({ compressionRatio: 2.4, avgLogprob: -1.1, noSpeechProb: 0.6 })).toBe('')
    expect(seen({ avgLogprob: -1.1, noSpeechProb: 0.7 })).toBe('no_speech')
    expect(seen({ avgLogprob: -0.9, noSpeechProb: 0.9 })).toBe('')
    expect(seen({ avgLogprob: null, noSpeechProb: 1 })).toBe('')
  })

  test('what stands in silence, and phrases only there', () => {
    const segments = said('Takk for at du så på.', 'Undertekster av Ai-Media', 'Hei', 'Takk for at dere så på!')
    const silences = [
      { startMs: 1900, endMs: 3000 },
      { startMs: 0, endMs: 950 },
      { startMs: 3000, endMs: 3500 },
    ]
    expect(suspects(tidySegments(segments, { silences }))).toEqual(['boilerplate silence', '', 'silence', ''])
    expect(suspects(tidySegments(segments))).toEqual(['', '', '', ''])
    const doubted = segments.map((segment) => ({ ...segment, avgLogprob: -2, noSpeechProb: 0.9 }))
    expect(suspects(tidySegments(doubted))).toEqual([
      'boilerplate no_speech',
      'boilerplate no_speech',
      'no_speech',
      'boilerplate no_speech',
    ])
  })

  test('a moment without length in silence', () => {
    const silences = [{ startMs: 0, endMs: 1000 }]
    expect(suspects(tidySegments([rough(500, 500), rough(2000, 2000)], { silences }))).toEqual(['silence zero_length', 'zero_length'])
  })
})

describe('whatever comes', () => {
  const time = fc.oneof(fc.integer({ min: -2000, max: 20_000 }), fc.double(), fc.constantFrom(0, 1000, Number.NaN, 1e300, -1e300))
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', 'Hei', 'hei!', '.', 'a\n\nb', '\0', '\ud800'))
  const number = fc.option(fc.double(), { nil: null })
  const segment: fc.Arbitrary<RoughSegment> = fc.record(
    {
      startMs: time,
      endMs: time,
      text,
      speaker: fc.option(text, { nil: null }),
      avgLogprob: number,
      noSpeechProb: number,
      compressionRatio: number,
    },
    { requiredKeys: ['startMs', 'endMs', 'text'] },
  )
  const silence = fc.record({ startMs: fc.nat(20_000), endMs: fc.nat(20_000) })
  const options = fc.record({ durationMs: fc.option(fc.nat(20_000), { nil: undefined }), silences: fc.array(silence) })

  test('it comes out in order, whole and storable', () => {
    fc.assert(
      fc.property(fc.array(segment), options, (segments, known) => {
        let before = 0
        for (const { startMs, endMs, ...rest } of tidySegments(segments, known)) {
          expect(startMs).toBeGreaterThanOrEqual(before)
          expect(endMs).toBeGreaterThanOrEqual(startMs)
          expect(endMs).toBeLessThanOrEqual(known.durationMs ?? MAX_MS)
          expect([startMs, endMs].every(Number.isInteger)).toBe(true)
          expect(JSON.stringify(rest)).not.toMatch(/\\u0000|\\ud[89a-f]/)
          before = endMs
        }
      }),
    )
  })

  test('no text is lost, and what was mended says what it was', () => {
    fc.assert(
      fc.property(fc.array(segment), options, (segments, known) => {
        const tidy = tidySegments(segments, known)
        const texts = segments.map((each) => cleanText(each.text).text).filter((each) => each !== '')
        expect(tidy.map((each) => each.text).toSorted()).toEqual(texts.toSorted())
        const came = segments.map(({ startMs, endMs }) => JSON.stringify([startMs, endMs].map((ms) => (Number.isFinite(ms) ? ms : null))))
        for (const { startMs, endMs, raw } of tidy) {
          expect(came).toContain(JSON.stringify(raw ? [raw.startMs, raw.endMs] : [startMs, endMs]))
        }
      }),
    )
  })

  test('it is tidy now: nothing changes when it is done again', () => {
    fc.assert(
      fc.property(fc.array(segment), options, (segments, known) => {
        const once = tidySegments(segments, known)
        expect(tidySegments(once, known)).toEqual(once)
      }),
    )
  })

  test('it may be much: 100,000 segments with 10,000 silences', { timeout: 60_000 }, () => {
    const segments = Array.from({ length: 100_000 }, (_, index) => rough((index % 50_000) * 100, index * 100 + 150, 'Hei'))
    const silences = Array.from({ length: 10_000 }, (_, index) => ({ startMs: index * 700, endMs: index * 700 + 300 }))
    expect(tidySegments(segments, { silences })).toHaveLength(100_000)
  })
})
