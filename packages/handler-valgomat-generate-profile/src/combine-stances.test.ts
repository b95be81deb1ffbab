import { expect, test } from 'vitest'
import type { Found } from './check-stances.ts'
import { combineStances, joinEvidence } from './combine-stances.ts'
import type { Stance } from './job.ts'

const found = (stance: Stance, page: number): Found => ({
  stance,
  confidence: 0.5,
  evidence: [{ page, quote: `sitat ${page}` }],
  reasoning: null,
})

test.each<[Stance[], Stance | null]>([
  [[2], 2],
  [[2, 1, 2], 1],
  [[-1, -2], -1],
  [[0, 0], 0],
  [[1, -1], null],
  [[2, 0], null],
  [[], null],
])('%j come to %j', (stances, combined) => expect(combineStances(stances.map(found))?.stance ?? null).toBe(combined))

test('with the evidence of all, each once, by page', () => {
  const all = [found(2, 9), found(1, 3), found(1, 3)]
  expect(combineStances(all)?.evidence.map(({ page }) => page)).toEqual([3, 9])
})

test('of very much evidence there is some for each side', () => {
  const all = [...Array.from({ length: 20 }, (_, n) => found(2, n + 1)), found(-1, 99)]
  expect(joinEvidence(all).map(({ page }) => page)).toEqual([1, 2, 3, 4, 99])
})
