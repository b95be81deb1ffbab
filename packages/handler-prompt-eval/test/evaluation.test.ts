import { randomUUID } from 'node:crypto'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { gatewayReply, scriptedGatewayAnswer } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { judge, judged, models, payload, reply, setup, tests } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())
beforeEach(() => t.says())

const one = { ...payload, tests: tests.slice(0, 1) }
const newJob = async (settings?: Parameters<typeof t.collection>[0]) => ({
  id: randomUUID(),
  collectionNodeId: await t.collection(settings),
})
const rubric = (value: string, more: object = {}) => ({
  ...one,
  tests: [{ ...tests[0], assert: [{ type: 'llm-rubric', value, ...more }] }],
})
const verdict = (more: object) => JSON.stringify({ reason: 'Ja.', quote: 'klokka 18', score: 0.8, pass: true, ...more })

test('recorded outputs of two models are compared, each cell is stored, and each prompt is sent as it is', async () => {
  const job = await newJob()
  const { result } = await t.evaluate(payload, { job })
  const common = { graded: 3, errors: 0, ungraded: 0, left: 0, passRate: 0.6667, latencyP50Ms: expect.any(Number), costUsd: 0.03 }
  expect(result).toMatchObject({ tests: 3, cells: 6, left: 0, stopped: null, costUsd: 0.06, judgeCostUsd: 0, judgeModel: null })
  expect(result.models).toMatchObject([
    { ...common, model: 'liten', passed: 2, failed: 1, score: 0.6667 },
    { ...common, model: 'stor', passed: 2, failed: 1, score: 0.6667 },
  ])
  const rows = await t.stored(job.collectionNodeId, job.id)
  expect(rows.map(({ test: n, model, pass }) => [n, model, pass])).toEqual([
    ...[
      [1, 'liten', true],
      [1, 'stor', true],
      [2, 'liten', true],
      [2, 'stor', false],
      [3, 'liten', false],
      [3, 'stor', true],
    ],
  ])
  expect(rows[3]).toMatchObject({
    ...{
      description: 'held seg til nynorsk',
      output: 'Dugnaden på bryggen er flyttet til lørdag på grunn av storm.',
      score: 0,
      costUsd: 0.01,
    },
    asserts: [
      { type: 'regex', pass: false },
      { type: 'not-contains', pass: false },
    ],
  })
  expect(t.asked().map(({ chat }) => chat?.messages)).toEqual(
    tests.flatMap(({ vars }) => models.map(() => [{ role: 'user', content: vars.tekst }])),
  )
  expect(t.asked()[0]?.chat).toMatchObject({ model: 'liten', temperature: 0, max_tokens: 1_000 })
  expect(t.asked()[0]?.chat).not.toHaveProperty('response_format')
})

test('prompt and tests may lie in nodes of the collection, and of no other', async () => {
  const job = await newJob()
  const contain = async (content: string, collection: string) => {
    const { id } = await insertNode(t.db, { content })
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collection, id])
    return id
  }
  const ids = {
    promptNodeId: await contain('{{tekst}}', job.collectionNodeId),
    testsNodeId: await contain(JSON.stringify(tests), job.collectionNodeId),
  }
  const given = { ...ids, models, system: 'Svar kort om {{tekst}}', seed: 7, repeat: 2 }
  const { result } = await t.evaluate(given, { job })
  expect(result).toMatchObject({ cells: 12, models: [{ passed: 4, scoreMargin: expect.any(Number) }, { passed: 4 }] })
  expect(t.asked()[0]?.chat).toMatchObject({
    seed: 7,
    messages: [{ role: 'system', content: `Svar kort om ${tests[0]?.vars.tekst}` }, {}],
  })

  const foreign = await contain('{{tekst}}', await t.collection())
  await expect(t.evaluate({ ...given, promptNodeId: foreign }, { job })).rejects.toMatchObject({ code: 'NODE_NOT_IN_COLLECTION' })
  const bad = await contain('[{"assert":[{"type":"javascript","value":"1"}]}]', job.collectionNodeId)
  await expect(t.evaluate({ ...given, testsNodeId: bad }, { job })).rejects.toMatchObject({ kind: 'permanent', code: 'EVALUATION_INVALID' })
})

describe('before anything is asked', () => {
  test.each<[string, object, string]>([
    ['a variable that is missing', { prompt: '{{tekts}}' }, 'PROMPT_TEMPLATE_INVALID'],
    [
      'one that an assertion needs',
      { tests: [{ vars: { tekst: 'a' }, assert: [{ type: 'equals', value: '{{b}}' }] }] },
      'PROMPT_TEMPLATE_INVALID',
    ],
    ['code in a template', { prompt: '{{ range.constructor("return process")() }}' }, 'PROMPT_TEMPLATE_INVALID'],
    ['a judge that is judged', { ...rubric('god'), models: [judge] }, 'EVALUATION_INVALID'],
    [
      'more calls than are good',
      {
        tests: Array.from({ length: 150 }, () => ({ assert: Array.from({ length: 8 }, () => ({ type: 'llm-rubric', value: 'x' })) })),
        prompt: 'a',
      },
      'EVALUATION_INVALID',
    ],
  ])('%s is a failure', async (_, more, code) => {
    await expect(t.evaluate({ ...one, ...more }, { job: await newJob() })).rejects.toMatchObject({ kind: 'permanent', code })
    expect(t.asked()).toEqual([])
  })
})

describe('money', () => {
  test('the cap stops before the next call that is paid, each model has had its turn, and what is left is told', async () => {
    const job = await newJob()
    const { result } = await t.evaluate({ ...payload, maxCostUsd: 0.035 }, { job })
    expect(t.asked()).toHaveLength(4)
    expect(result).toMatchObject({
      cells: 6,
      left: 2,
      stopped: 'cost_cap',
      costUsd: 0.04,
      models: [
        { graded: 2, left: 1 },
        { graded: 2, left: 1 },
      ],
    })
    expect(await t.stored(job.collectionNodeId, job.id)).toHaveLength(4)
  })

  test('also before the judge, whose cell is kept without a verdict', async () => {
    t.says(({ chat }) => (chat?.model === judge ? gatewayReply(verdict({})) : undefined))
    const job = await newJob()
    const { result } = await t.evaluate({ ...rubric('god'), maxCostUsd: 0.025 }, { job })
    expect(result).toMatchObject({
      stopped: 'cost_cap',
      left: 1,
      costUsd: 0.03,
      judgeCostUsd: 0.01,
      models: [{ passed: 1 }, { left: 1, costUsd: 0.01 }],
    })
    expect(await t.stored(job.collectionNodeId, job.id)).toMatchObject([
      { pass: true },
      { pass: null, errorCode: 'NOT_GRADED', output: reply(t.asked()[2]?.chat) },
    ])
  })

  test("the collection's budget stops it as well", async () => {
    const { result } = await t.evaluate(payload, { job: await newJob({ budget: { perJobUsd: 0.015 } }) })
    expect(result).toMatchObject({ stopped: 'budget', left: 4 })
  })

  test('under a cap a call whose cost is not told is the last one; without, all are made', async () => {
    const headers = { 'x-litellm-response-cost': 'ukjent' }
    t.says(({ chat }) => ({ ...gatewayReply(reply(chat) ?? ''), headers: { ...gatewayReply('').headers, ...headers } }))
    const { result } = await t.evaluate(payload, { job: await newJob() })
    expect(result).toMatchObject({ stopped: 'cost_unknown', left: 5 })
    expect(t.asked()).toHaveLength(1)
    expect((await t.evaluate({ ...payload, maxCostUsd: null }, { job: await newJob() })).result).toMatchObject({
      stopped: null,
      left: 0,
      costUsd: 0,
    })
  })

  test('another attempt goes on where the one before broke off, and pays for nothing twice', async () => {
    const job = await newJob()
    t.says(({ chat }) => {
      if (chat?.model === judge) return gatewayReply(verdict({ quote: null, pass: false, score: 0 }))
      return t.asked().length === 7 ? scriptedGatewayAnswer('503') : undefined
    })
    const given = { ...payload, tests: tests.map((each) => ({ ...each, assert: [{ type: 'not-llm-rubric', value: 'slett' }] })) }
    const steps = {}
    await expect(t.evaluate(given, { job, steps })).rejects.toMatchObject({ kind: 'transient' })
    expect(t.asked()).toHaveLength(7)
    const { result } = await t.evaluate(given, { job: { ...job, attempt: 2 }, steps })
    expect(result).toMatchObject({ left: 0, costUsd: 0.12, judgeCostUsd: 0.06, models: [{ passed: 3 }, { passed: 3 }] })
    // Six outputs, six verdicts, and the one call that failed and cost nothing.
    expect(t.asked()).toHaveLength(13)
    const asked = t.asked().map(({ chat }) => JSON.stringify([chat?.model, chat?.model === judge ? judged(chat) : chat?.messages]))
    expect(new Set(asked).size).toBe(12)
  })
})

describe('a model without an output is a result', () => {
  test.each<[string, Parameters<typeof scriptedGatewayAnswer>[0] | { status: number; error: object }, string]>([
    [
      'that the key may not use (403)',
      { status: 403, error: { message: 'key not allowed to access model', type: 'key_model_access_denied', code: '403' } },
      'UPSTREAM_REJECTED',
    ],
    [
      'that does not exist (404)',
      { status: 404, error: { message: 'The model does not exist', type: null, code: 'model_not_found' } },
      'UPSTREAM_REJECTED',
    ],
    ['that refuses', '200-refusal', 'REPLY_REFUSED'],
    ['that is cut', '200-length-truncated', 'REPLY_CUT'],
    ['whose window is too small', '400-context-litellm', 'CONTEXT_TOO_LONG'],
  ])('%s', async (_, answer, code) => {
    t.says(({ chat }) => {
      if (chat?.model !== 'stor') return undefined
      if (typeof answer === 'string') return scriptedGatewayAnswer(answer)
      return { ...scriptedGatewayAnswer('404'), status: answer.status, body: JSON.stringify({ error: answer.error }) }
    })
    const job = await newJob()
    const { result } = await t.evaluate(one, { job })
    expect(result).toMatchObject({
      stopped: null,
      left: 0,
      models: [
        { passed: 1, errors: 0 },
        { passed: 0, errors: 1, passRate: 0, score: 0, latencyP50Ms: code === 'REPLY_CUT' ? expect.any(Number) : null },
      ],
    })
    expect((await t.stored(job.collectionNodeId, job.id))[1]).toMatchObject({
      errorCode: code,
      cut: code === 'REPLY_CUT',
      pass: null,
      asserts: [],
    })
    expect(t.asked()).toHaveLength(2)
  })

  test('one that the gateway has not got at all', async () => {
    const { result } = await t.evaluate({ ...one, models: ['liten', 'fins-ikke'] }, { job: await newJob() })
    expect(result.models).toMatchObject([{ passed: 1 }, { model: 'fins-ikke', errors: 1 }])
  })

  test('trouble that may pass is tried again, and is a result at the last attempt; a request to wait never is', async () => {
    const down = (name: string) => t.says(({ chat }) => (chat?.model === 'stor' ? scriptedGatewayAnswer(name) : undefined))
    down('500')
    await expect(t.evaluate(one, { job: { ...(await newJob()), attempt: 2 } })).rejects.toMatchObject({ kind: 'transient' })
    const { result } = await t.evaluate(one, { job: { ...(await newJob()), attempt: 3, maxAttempts: 3 } })
    expect(result.models).toMatchObject([{ passed: 1 }, { errors: 1 }])
    down('429-litellm')
    await expect(t.evaluate(one, { job: { ...(await newJob()), attempt: 3, maxAttempts: 3 } })).rejects.toMatchObject({
      status: 429,
    })
  })

  test('credit that is spent is the trouble of all, and fails the job', async () => {
    t.says(() => scriptedGatewayAnswer('402-openrouter-credits'))
    await expect(t.evaluate(one, { job: await newJob() })).rejects.toMatchObject({ kind: 'permanent', status: 402 })
  })
})
