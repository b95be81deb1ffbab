import type { PromptEval } from '@sidelinja/jobs-kit/storage'
import { expect, test } from 'vitest'
import { percentile, summarise } from './summarise.ts'

const row = (more: Partial<PromptEval>): PromptEval => ({
  ...{ model: 'a', test: 1, repeat: 1, description: null, output: 'x', cut: false, pass: true, score: 1, asserts: [], error: null },
  ...{
    modelServed: 'a',
    promptTokens: 10,
    completionTokens: 5,
    latencyMs: 100,
    costUsd: 0.001,
    promptHash: 'h',
    temperature: 0,
    seed: null,
  },
  ...{ judgeModel: null, ...more },
})
const error = (code: string) => ({ pass: null, score: null, error: { code, message: '' } })

test('errors of the model count against it, those of the judge for nothing', () => {
  const rows = [
    row({}),
    row({ pass: false, score: 0.5, latencyMs: 300 }),
    row({ ...error('UPSTREAM_REJECTED'), latencyMs: 3, costUsd: null }),
    row({ ...error('REPLY_INVALID'), asserts: [{ pass: null }], latencyMs: 200 }),
    row({ ...error('NOT_GRADED'), latencyMs: 400 }),
  ]
  expect(summarise('a', rows, 7)).toEqual({
    ...{ model: 'a', graded: 3, passed: 1, failed: 1, errors: 1, ungraded: 1, left: 3, passRate: 0.3333, score: 0.5, scoreMargin: 0.5658 },
    ...{ latencyP50Ms: 200, latencyP95Ms: 400, costUsd: 0.004, promptTokens: 50, completionTokens: 25 },
  })
})

test('of nothing nothing is told', () => {
  expect(summarise('a', [], 2)).toMatchObject({ graded: 0, left: 2, passRate: null, score: null, scoreMargin: null, latencyP50Ms: null })
  expect(percentile([], 0.5)).toBeNull()
})

test.each([
  [[1, 2, 3, 4], 0.5, 2],
  [[5], 0.95, 5],
  [[30, 10, 20], 0.95, 30],
])('of %j the share %d is not above %d', (values, share, found) => expect(percentile(values, share)).toBe(found))
