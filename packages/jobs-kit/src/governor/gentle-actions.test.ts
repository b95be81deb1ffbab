import { expect, test } from 'vitest'
import { deferral, type GentleActions } from './gentle-actions.ts'

const actions: GentleActions = { url: undefined, threads: 2, concurrency: 1, maxTurnMs: 900_000, deferMs: 300_000, maxDeferMs: 7_200_000 }
const open = { mode: 'gentle' as const, roomIsOpen: true, reason: '', warning: undefined }
const guess = { ...open, roomIsOpen: false }
const full = { ...guess, mode: 'full' as const }

test.each([
  ['a room in use', open, { priority: 5, ageMs: 0 }, actions, 300_000],
  ['nobody there', full, { priority: 5, ageMs: 0 }, actions, undefined],
  ['only a guess', guess, { priority: 5, ageMs: 0 }, actions, undefined],
  ['somebody waits for the job', open, { priority: 10, ageMs: 0 }, actions, undefined],
  ['not configured', open, { priority: 5, ageMs: 0 }, { ...actions, deferMs: undefined }, undefined],
  ['nearly too old: until it is', open, { priority: 5, ageMs: 7_100_000 }, actions, 100_000],
  ['as good as too old', open, { priority: 5, ageMs: 7_199_500 }, actions, undefined],
  ['too old', open, { priority: 5, ageMs: 9_000_000 }, actions, undefined],
  ['absurdly short', open, { priority: 5, ageMs: 0 }, { ...actions, deferMs: 1 }, 1_000],
])('%s', (_name, verdict, work, given, expected) => {
  expect(deferral(verdict, work, given)).toBe(expected)
})
