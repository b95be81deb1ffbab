import { randomUUID } from 'node:crypto'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { AssertOutcome } from '../src/grade.ts'
import { judge, judged, payload, setup, tests } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())
beforeEach(() => t.says())

const one = { ...payload, tests: tests.slice(0, 1) }
const newJob = async () => ({ id: randomUUID(), collectionNodeId: await t.collection() })
const rubric = (value: string, more: object = {}) => ({
  ...one,
  tests: [{ ...tests[0], assert: [{ type: 'llm-rubric', value, ...more }] }],
})
const verdict = (more: object) => JSON.stringify({ reason: 'Ja.', quote: 'klokka 18', score: 0.8, pass: true, ...more })

const saying = (content: string) => t.says(({ chat }) => (chat?.model === judge ? gatewayReply(content) : undefined))
const outcomeOf = async (given: object) => {
  const job = await newJob()
  const { result } = await t.evaluate(given, { job })
  const rows = await t.stored(job.collectionNodeId, job.id)
  return { result, rows, first: ((rows[0]?.asserts ?? []) as AssertOutcome[])[0] }
}

test('the judge is told the rubric and the output, as data, and not whose it is', async () => {
  saying(verdict({}))
  const { result, first } = await outcomeOf(rubric('nevner {{tid}}'))
  expect(result).toMatchObject({ judgeModel: judge, models: [{ passed: 1, score: 0.8 }, {}] })
  expect(first).toEqual({
    type: 'llm-rubric',
    metric: null,
    weight: 1,
    pass: true,
    score: 0.8,
    reason: 'Ja.',
    quote: 'klokka 18',
    error: null,
  })
  const { chat } = t.asked()[1] ?? {}
  expect(judged(chat)).toEqual({ rubric: 'nevner 18', output: 'Møtet er klokka 18 i grendehuset.' })
  expect(JSON.stringify(chat?.messages)).not.toMatch(/\bliten\b/)
  expect(chat?.messages[0]?.content).not.toContain('nevner 18')
})

test('weights, thresholds, sets and not-', async () => {
  saying(verdict({ score: 0.6 }))
  const contains = (value: string, weight = 1) => ({ type: 'contains', value, weight })
  const set = { type: 'assert-set', threshold: 0.5, assert: [contains('18'), contains('xyz')], metric: 'fakta' }
  const asserts = [
    set,
    { type: 'llm-rubric', value: 'x', threshold: 0.7, weight: 2 },
    { type: 'not-factuality', value: 'y' },
    contains('xyz', 0),
  ]
  const given = { ...one, models: ['liten'], tests: [{ ...tests[0], assert: asserts }] }
  const { rows, result } = await outcomeOf(given)
  expect(rows[0]?.asserts).toMatchObject([
    { pass: true, score: 0.5, assert: [{ pass: true }, { pass: false }] },
    { pass: false, score: 0.6 },
    { pass: false, score: 0.4 },
    { pass: false, weight: 0 },
  ])
  expect(result.models).toMatchObject([{ failed: 1, score: 0.525 }])
  expect((await outcomeOf({ ...given, tests: [{ ...given.tests[0], threshold: 0.5 }] })).result.models).toMatchObject([{ passed: 1 }])
})

test.each<[string, string, string]>([
  ['talks nonsense', 'Dommen er: kanskje.', 'REPLY_INVALID'],
  ['gives a score that is none', verdict({ score: 11 }), 'REPLY_INVALID'],
  ['passes what it cannot quote', verdict({ quote: 'klokka 19' }), 'VERDICT_UNFOUNDED'],
  ['passes without a quote', verdict({ quote: null }), 'VERDICT_UNFOUNDED'],
])('a judge that %s decides nothing, and counts neither for nor against the model', async (_, content, code) => {
  saying(content)
  const { result, rows, first } = await outcomeOf(rubric('god'))
  expect(result.models).toMatchObject([{ graded: 0, ungraded: 1, passRate: null, score: null }, { ungraded: 1 }])
  expect(first).toMatchObject({ pass: null, score: null, error: code })
  expect(rows[0]).toMatchObject({ pass: null, errorCode: code, output: 'Møtet er klokka 18 i grendehuset.' })
})

test('a judge that fails something needs no quote: it may be missing', async () => {
  saying(verdict({ quote: null, pass: false, score: 0.1 }))
  expect((await outcomeOf(rubric('nevner prisen'))).result.models).toMatchObject([{ failed: 1, score: 0.1 }, {}])
})

test('a judge that does not exist fails the job at once', async () => {
  await expect(t.evaluate({ ...rubric('god'), judgeModel: 'fins-ikke' }, { job: await newJob() })).rejects.toMatchObject({
    code: 'UPSTREAM_REJECTED',
  })
  expect(t.asked()).toHaveLength(2)
})
