import { expect, test } from 'vitest'
import { PIECE_LIMITS, type PieceLimits, planPieces, type Span } from './plan-pieces.ts'

const limits: PieceLimits = { targetMs: 10_000, maxMs: 12_000 }
const plan = (decodedMs: number, silences: Span[]) => planPieces({ decodedMs, silences, pauses: silences }, limits)
const span = (startMs: number, endMs: number): Span => ({ startMs, endMs })

test('what is short enough is one piece', () => {
  expect(plan(12_000, [])).toEqual([span(0, 12_000)])
})

test('where nobody pauses, a piece is as long as it may be', () => {
  expect(plan(30_000, [])).toEqual([span(0, 12_000), span(12_000, 24_000), span(24_000, 30_000)])
})

test('cuts in the middle of the longest silence around the target', () => {
  const silences = [span(2_000, 4_500), span(6_000, 6_400), span(8_000, 9_000), span(9_900, 10_300)]
  expect(plan(20_000, silences)).toEqual([span(0, 8_500), span(8_500, 20_000)])
})

test('of a silence that reaches out of reach only the near part counts', () => {
  expect(plan(40_000, [span(11_000, 29_000)])).toEqual([span(0, 11_500), span(28_500, 40_000)])
})

test('cuts at pauses, and leaves out silence only', () => {
  const pauses = [span(7_000, 8_000), span(13_000, 14_000)]
  expect(planPieces({ decodedMs: 15_000, silences: [], pauses }, limits)).toEqual([span(0, 7_500), span(7_500, 15_000)])
})

test('silence at both ends is left out, but for a breath', () => {
  expect(plan(12_000, [span(0, 3_000), span(9_000, 12_000)])).toEqual([span(2_500, 9_500)])
})

test('of nothing but silence nothing is left', () => {
  expect(plan(60_000, [span(0, 60_000)])).toEqual([])
})

test('whatever the silences: in order, none too long, and every sound in exactly one piece', () => {
  let seed = 7
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (let round = 0; round < 2_000; round++) {
    const durationMs = Math.round(random() * 100_000)
    const silences: Span[] = []
    for (let at = Math.round(random() * 8_000); at < durationMs; ) {
      const endMs = Math.min(durationMs, at + 500 + Math.round(random() * 15_000 * random()))
      silences.push(span(at, endMs))
      at = endMs + 1 + Math.round(random() * 20_000)
    }
    const pieces = plan(durationMs, silences)
    pieces.forEach((piece, index) => {
      expect(piece.endMs - piece.startMs).toBeGreaterThan(0)
      expect(piece.endMs - piece.startMs).toBeLessThanOrEqual(limits.maxMs)
      expect(piece.startMs).toBeGreaterThanOrEqual(pieces[index - 1]?.endMs ?? 0)
      expect(piece.endMs).toBeLessThanOrEqual(durationMs)
    })
    const left = [0, ...pieces.map(({ endMs }) => endMs)].map((startMs, index) => span(startMs, pieces[index]?.startMs ?? durationMs))
    const silent = ({ startMs, endMs }: Span) => endMs <= startMs || silences.some((one) => one.startMs <= startMs && one.endMs >= endMs)
    expect(left.filter((gap) => !silent(gap))).toEqual([])
  }
})

test.each([1, 60, 900])('what is left over by %i ms is no piece of its own: servers refuse it, or hear nothing in it', (overMs) => {
  const pieces = planPieces({ decodedMs: 720_000 + overMs, silences: [], pauses: [] }, PIECE_LIMITS)
  expect(pieces).toHaveLength(2)
  for (const { startMs, endMs } of pieces) expect(endMs - startMs).toBeGreaterThanOrEqual(1_000)
  expect(pieces.at(-1)?.endMs).toBe(720_000 + overMs)
})
