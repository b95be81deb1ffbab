import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { gatewayReply, scriptedGatewayAnswer } from '@sidelinja/jobs-kit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { arrangeAsking } from './support.ts'

let database: TestDatabase
let close = async () => {}
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())
afterEach(async () => {
  await close()
  await database.pool.query('delete from service_breakers')
})

type Answers = NonNullable<NonNullable<Parameters<typeof arrangeAsking>[1]>['answer']>
async function arrange(answer?: Answers, more: Parameters<typeof arrangeAsking>[2] = {}) {
  const arranged = await arrangeAsking(database, answer === undefined ? {} : { answer }, more)
  close = () => arranged.standIn.close()
  return arranged
}
const empty = (headers: object = {}) => ({ ...gatewayReply(''), headers: { ...gatewayReply('').headers, ...headers } })

test('a prompt is sent as it is, to the model that is named, and its output is paid for once', async () => {
  const { complete, standIn, calls } = await arrange(() => gatewayReply('Hei du.'))
  const messages = [{ role: 'system', content: 'Svar kort.' } as const, { role: 'user', content: 'Hei {{navn}}' } as const]
  const made = await complete({ messages, seed: 7, model: 'sidelinja/resonnering' })
  expect(made).toMatchObject({
    output: 'Hei du.',
    cut: false,
    error: null,
    facts: { costUsd: expect.any(Number), latencyMs: expect.any(Number) },
  })
  expect(await complete({ messages, seed: 7, model: 'sidelinja/resonnering' })).toEqual(made)
  expect(standIn.requests.map(({ body }) => JSON.parse(body))).toEqual([
    { model: 'sidelinja/resonnering', messages, max_tokens: 100, temperature: 0, seed: 7 },
  ])
  expect(await calls()).toMatchObject([{ question: 'm1-t1', model_alias: 'sidelinja/resonnering', error_code: null }])
})

test.each([
  ['messages', { messages: [{ role: 'user', content: 'Hallo' } as const] }],
  ['model', { model: 'sidelinja/resonnering' }],
  ['room', { maxTokens: 200 }],
  ['temperature', { temperature: 1 }],
  ['seed', { seed: 8 }],
  ['version', { promptVersion: 'test/2' }],
])('another %s is another prompt, and is not answered with what is stored', async (_, other) => {
  const { complete, standIn } = await arrange(() => gatewayReply('Hei.'))
  await complete()
  await complete(other)
  expect(standIn.requests).toHaveLength(2)
})

describe('a model without an output is an outcome, asked for once in all attempts', () => {
  test.each<[string, Parameters<typeof scriptedGatewayAnswer>[0], object]>([
    ['that refuses', '200-refusal', { output: '', error: { code: 'REPLY_REFUSED' } }],
    ['whose filter does', '200-content-filter', { output: '', error: { code: 'REPLY_REFUSED' } }],
    ['whose window is too small', '400-context-litellm', { output: '', error: { code: 'CONTEXT_TOO_LONG' } }],
    ['that is cut', '200-length-truncated', { cut: true, error: null }],
    ['that is not there', '404', { output: '', error: { code: expect.stringMatching(/^UPSTREAM_/) } }],
  ])('%s', async (_, name, outcome) => {
    const { complete, standIn } = await arrange(() => scriptedGatewayAnswer(name))
    const made = await complete()
    expect(made).toMatchObject(outcome)
    expect(await complete()).toEqual(made)
    expect(standIn.requests).toHaveLength(1)
  })
})

describe('a model that says nothing', () => {
  test('is asked once more, and what both calls cost is told', async () => {
    let asked = 0
    const { complete, standIn, calls } = await arrange(() => (asked++ === 0 ? empty() : gatewayReply('Her er jeg.')))
    const made = await complete()
    expect(made).toMatchObject({ output: 'Her er jeg.', error: null })
    const costs = (await calls()).map(({ cost_usd }) => Number(cost_usd))
    expect(costs).toHaveLength(2)
    expect(made.facts.costUsd).toBeCloseTo((costs[0] ?? 9) + (costs[1] ?? 9), 8)
    expect(await complete()).toEqual(made)
    expect(standIn.requests).toHaveLength(2)
  })

  test('twice has nothing to say, which is not paid for again', async () => {
    const { complete, standIn } = await arrange(() => empty())
    const made = await complete()
    expect(made).toMatchObject({ output: '', error: { code: 'REPLY_EMPTY' } })
    expect(await complete()).toEqual(made)
    expect(standIn.requests).toHaveLength(2)
  })

  test('under a cap is not asked once more where the cap is reached, or nobody tells what it cost', async () => {
    const dear = await arrange(() => empty())
    await expect(dear.complete({ maxJobUsd: 1e-9 })).rejects.toMatchObject({ code: 'COST_CAP_REACHED' })
    expect(dear.standIn.requests).toHaveLength(1)
    await dear.standIn.close()
    const untold = await arrange(() => empty({ 'x-litellm-response-cost': 'ukjent' }))
    expect(await untold.complete({ maxJobUsd: 1 })).toMatchObject({ error: { code: 'REPLY_EMPTY' }, facts: { costUsd: null } })
    expect(untold.standIn.requests).toHaveLength(1)
  })
})

describe('what is the trouble of all fails, and nothing is stored', () => {
  test.each<[string, object]>([
    ['500', { kind: 'transient' }],
    ['429-litellm', { status: 429 }],
    ['402-openrouter-credits', { kind: 'permanent', status: 402 }],
    ['401', { code: 'SERVICE_DOWN' }],
  ])('%s', async (name, error) => {
    const { complete, steps } = await arrange(() => scriptedGatewayAnswer(name as '500'))
    await expect(complete()).rejects.toMatchObject(error)
    expect(steps.size).toBe(0)
  })

  test('a budget that is spent: nothing is asked', async () => {
    const { complete, standIn } = await arrange(() => gatewayReply('Hei.'), { settings: { budget: { perJobUsd: 1e-9 } } })
    await complete()
    await expect(complete({ name: 'm2-t1' })).rejects.toMatchObject({ code: 'AI_BUDGET_SPENT' })
    expect(standIn.requests).toHaveLength(1)
  })

  test('a name that a step cannot have', async () => {
    const { complete } = await arrange()
    await expect(complete({ name: 'Æ' })).rejects.toMatchObject({ code: 'QUESTION_NAME_INVALID' })
  })
})
