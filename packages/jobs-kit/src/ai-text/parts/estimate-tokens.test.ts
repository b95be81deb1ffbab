import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfBudget, estimateTokens } from './estimate-tokens.ts'

test.each([
  ['', 0],
  ['a', 1],
  ['Hei og velkommen', 7],
  ['12345', 5],
  ['()[]', 4],
  ['æøå', 5],
  ['会议', 6],
  ['😀', 4],
  ['\ud800', 3],
  ['a'.repeat(30), 12],
  ['a'.repeat(1_030), 1_012],
])('%j', (text, tokens) => expect(estimateTokens(text)).toBe(tokens))

/** Counted with o200k_base and cl100k_base, whichever is more. */
test.each([
  ['Velkommen til episode førtien. I dag snakker vi om støyen fra havna, og hva kommunen har tenkt å gjøre med den.', 35],
  ['Eg veit ikkje om vi rekk å bli ferdige før jul, men vi har i alle fall byrja.', 29],
  ['The quick brown fox jumps over the lazy dog.', 10],
  ['0190f3c1-7a2b-7c4d-8e5f-000000000001', 26],
  ['{"segment":12,"text":"Ja, ikke sant?"}', 13],
])('never less than a tokenizer counts: %s', (text, counted) => {
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(counted)
  expect(estimateTokens(text)).toBeLessThanOrEqual(counted * 2.5)
})

test('a longer text is never fewer tokens, and two texts never fewer than both together', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const whole = estimateTokens(a + b)
      expect(whole).toBeGreaterThanOrEqual(estimateTokens(a))
      if (!/[a-z\d]$/i.test(a) && !/[\ud800-\udbff]$/.test(a)) expect(whole).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b))
    }),
  )
})

test('a budget is used up, and no pair is parted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.integer({ min: 0, max: 50 }), (text, budget) => {
      const end = endOfBudget(text, 0, budget)
      const first = String.fromCodePoint(text.codePointAt(0) ?? 0).length
      expect(end).toBeGreaterThanOrEqual(first)
      if (end > first) expect(estimateTokens(text.slice(0, end))).toBeLessThanOrEqual(budget)
      const next = String.fromCodePoint(text.codePointAt(end) ?? 0x20)
      if (end < text.length) expect(estimateTokens(text.slice(0, end) + next)).toBeGreaterThan(budget)
      expect(text.slice(0, end).isWellFormed() || !text.isWellFormed()).toBe(true)
    }),
  )
})
