import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeData } from '../messages/encode-data.ts'
import { coverageOf } from './coverage.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { SegmentPart } from './segment-part.ts'
import { halvePart, splitSegments } from './split-segments.ts'

const say = (count: number, text = 'Vi snakker om støyen fra havna i dag.') => Array.from({ length: count }, () => ({ text }))
const numbers = (parts: readonly SegmentPart[]) =>
  parts.map(({ segments, overlap }) => [segments[0]?.segment, segments.at(-1)?.segment, overlap])
const unread = (parts: readonly SegmentPart[]) => parts.flatMap(({ segments, overlap }) => segments.slice(overlap))

describe('splitSegments', () => {
  test('what fits is one part, numbered from 1', () => {
    expect(
      splitSegments(
        [
          { text: 'Hei', speaker: 'Eva' },
          { text: 'Ja', speaker: null },
        ],
        { budgetTokens: 1_000 },
      ),
    ).toEqual([
      {
        segments: [
          { segment: 1, text: 'Hei', speaker: 'Eva' },
          { segment: 2, text: 'Ja' },
        ],
        overlap: 0,
        tokens: expect.any(Number),
      },
    ])
    expect(splitSegments([], { budgetTokens: 1_000 })).toEqual([])
  })

  test('parts begin with what the part before ended with', () => {
    expect(numbers(splitSegments(say(20), { budgetTokens: 300 }))).toEqual([
      [1, 8, 0],
      [7, 14, 2],
      [13, 20, 2],
    ])
    expect(numbers(splitSegments(say(20), { budgetTokens: 300, overlapSegments: 0 }))).toEqual([
      [1, 8, 0],
      [9, 16, 0],
      [17, 20, 0],
    ])
  })

  test('what is repeated takes a quarter at most', () => {
    const parts = splitSegments(say(20), { budgetTokens: 300, overlapSegments: 100 })
    expect(parts.map(({ overlap }) => overlap)).toEqual([0, 2, 2])
  })

  test('a segment that fits into no part is parted under its number', () => {
    const long = 'Dette er en setning. '.repeat(100)
    const parts = splitSegments([{ text: 'Hei' }, { text: long, speaker: 'Eva' }, { text: 'Ja' }], { budgetTokens: 300 })
    const second = unread(parts).filter(({ segment }) => segment === 2)
    expect(second.length).toBeGreaterThan(2)
    expect(second.map(({ text }) => text).join('')).toBe(long)
    expect(second.every(({ speaker, text }) => speaker === 'Eva' && /\. $/.test(text))).toBe(true)
  })

  const segment = fc.record({
    text: fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom('<', '"', '\n', '\u0001', 'å ', '=', '😀').map((sign) => sign.repeat(500)),
    ),
    speaker: fc.option(fc.string({ maxLength: 300 })),
  })
  const options = fc.record({ budgetTokens: fc.integer({ min: 0, max: 2_000 }), overlapSegments: fc.nat(10) })

  test('nothing is lost, in order, and no part is too long', () => {
    fc.assert(
      fc.property(fc.array(segment), options, (segments, how) => {
        const parts = splitSegments(segments, how)
        const texts = new Map<number, string>()
        for (const { segment: number, text } of unread(parts)) texts.set(number, (texts.get(number) ?? '') + text)
        expect([...texts]).toEqual(segments.map(({ text }, index) => [index + 1, text]))
        for (const [index, part] of parts.entries()) {
          expect(part.segments.length).toBeGreaterThan(part.overlap)
          expect(part.segments.slice(0, part.overlap)).toEqual(part.overlap === 0 ? [] : parts[index - 1]?.segments.slice(-part.overlap))
          expect(estimateTokens(encodeData(part.segments))).toBeLessThanOrEqual(part.tokens + 2)
          expect(part.tokens).toBeLessThanOrEqual(Math.max(200 + 1, how.budgetTokens))
        }
        expect(coverageOf(parts, () => true)).toEqual({ covered: segments.length, total: segments.length, missing: [] })
      }),
    )
  })

  test('a transcript of a day, and a segment of a megabyte, take seconds at most', { timeout: 20_000 }, () => {
    expect(splitSegments(say(50_000), { budgetTokens: 6_000 }).length).toBeGreaterThan(100)
    expect(splitSegments(say(1, 'a'.repeat(1_000_000)), { budgetTokens: 6_000 }).length).toBeGreaterThan(50)
    expect(splitSegments(say(1, '\u0001'.repeat(100_000)), { budgetTokens: 0 }).length).toBeGreaterThan(50)
  })
})

describe('halvePart', () => {
  test('two of half the size, without what was repeated', () => {
    const [, second] = splitSegments(say(60), { budgetTokens: 1_000 })
    expect(numbers(second ? [second] : [])).toEqual([[27, 54, 2]])
    expect(numbers(second ? halvePart(second) : [])).toEqual([
      [29, 41, 0],
      [42, 54, 0],
    ])
  })

  test('halving comes to an end, and loses nothing', () => {
    const halves = (part: SegmentPart): SegmentPart[] => {
      const parts = halvePart(part)
      return parts.length === 1 ? parts : parts.flatMap(halves)
    }
    const segments = [...say(30), { text: 'a'.repeat(5_000) }]
    const smallest = splitSegments(segments, { budgetTokens: 5_000 }).flatMap(halves)
    expect(smallest.every(({ tokens }) => tokens <= 200)).toBe(true)
    expect(
      unread(smallest)
        .map(({ text }) => text)
        .join(''),
    ).toBe(segments.map(({ text }) => text).join(''))
  })
})
