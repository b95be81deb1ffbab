import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import type { CollectionSettingsInput } from '@sidelinja/jobs-kit'
import { type GatewayStandIn, type GatewayStandInOptions, gatewayReply, scriptedGatewayAnswer } from '@sidelinja/jobs-kit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { arrangeAsking } from './support.ts'

let database: TestDatabase
let standIn: GatewayStandIn
let collectionNodeId: string
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())
afterEach(() => standIn.close())

async function arrange(options: GatewayStandInOptions = {}, settings: CollectionSettingsInput = {}) {
  const arranged = await arrangeAsking(database, options, { settings })
  standIn = arranged.standIn
  collectionNodeId = arranged.collectionNodeId
  return arranged
}

describe('a question', () => {
  test('goes over with instructions and data apart, the schema strict and in words; the answer comes back checked', async () => {
    const { ask } = await arrange(
      { answer: () => gatewayReply('{"summary":"Ja til budsjettet","action_points":[]}') },
      { prompts: { ai_test: 'Skriv kort.' } },
    )
    expect(await ask()).toEqual({ summary: 'Ja til budsjettet', action_points: [] })
    const [request] = standIn.requests
    expect(request?.headers.authorization).toBe('Bearer hemmelig')
    expect(request?.chat).toMatchObject({ model: 'sidelinja/rutine', max_tokens: 4_000, temperature: 0.2 })
    const [system, user] = request?.chat?.messages ?? []
    expect(system?.content).toMatch(/^Sum up\.\n\nSkriv kort\./)
    expect(system?.content).not.toContain('Rådet')
    expect(user?.content).toMatch(/^(=====DATA [0-9a-f]{32}=====)\n\{"text":"Rådet sa ja til budsjettet\."\}\n\1\n/)
    expect(request?.chat?.response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'sum-up', strict: true } })
  })

  test('is paid for once, whatever happens afterwards; another question is not answered with its reply', async () => {
    const { ask } = await arrange({ answer: () => gatewayReply('{"summary":"a","action_points":[]}') })
    await ask()
    await ask()
    expect(standIn.requests).toHaveLength(1)
    await ask({ name: 'other' })
    await ask({ data: { text: 'noe annet' } })
    await ask({ promptVersion: 'test/2' })
    expect(standIn.requests).toHaveLength(4)
    // Whoever changes the collection's prompt and retries a job wants it asked.
    await ask({}, { prompts: { ai_test: 'Svar på nynorsk.' } })
    await ask({}, { prompts: { another_type: 'Svar på nynorsk.' } })
    expect(standIn.requests).toHaveLength(5)
  })

  test('leaves a row with what it took, also when it fails', async () => {
    const { ask, calls, job } = await arrange({ answer: () => gatewayReply('{"summary":"a","action_points":[]}') })
    await ask()
    standIn.fail({ answer: { status: 500, body: 'Internal Server Error' } })
    await expect(ask({ name: 'other' })).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    const common = {
      collection_node_id: collectionNodeId,
      job_id: job.id,
      job_type: 'ai_test',
      run: 1,
      prompt_version: 'test/1',
      model_alias: 'sidelinja/rutine',
    }
    expect(await calls()).toMatchObject([
      { ...common, question: 'sum-up', error_code: null, call_id: expect.any(String), cost_usd: expect.stringMatching(/^0\.\d+$/) },
      { ...common, question: 'other', error_code: 'UPSTREAM_UNAVAILABLE', cost_usd: null },
    ])
    expect((await calls())[0].prompt_tokens).toBeGreaterThan(10)
  })

  test('leaves a row where the job was cancelled meanwhile, and where its call opened the breaker; none where nothing was sent', async () => {
    const { ask, calls, controller } = await arrange()
    standIn.fail({ answer: scriptedGatewayAnswer('401-key') })
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_DOWN' })
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_DOWN' })
    await database.pool.query('select reset_service_breaker($1)', ['gateway'])
    expect(await calls()).toMatchObject([{ error_code: 'UPSTREAM_UNAUTHORIZED' }])

    standIn.fail({ hang: 'before-headers' })
    const asked = ask()
    await expect.poll(() => standIn.requests.length).toBe(2)
    controller.abort(new Error('cancelled'))
    await expect(asked).rejects.toThrow('cancelled')
    expect(await calls()).toMatchObject([{}, { error_code: 'ABORTED' }])
  })
})

test('an answer that is paid for does not wait long for its row', { timeout: 30_000 }, async () => {
  const { ask, calls } = await arrange({ answer: () => gatewayReply('{"summary":"a","action_points":[]}') })
  const other = await database.pool.connect()
  try {
    await other.query('begin')
    await other.query('select from nodes where id = $1 for update', [collectionNodeId])
    expect(await ask()).toMatchObject({ summary: 'a' })
  } finally {
    await other.query('rollback')
    other.release()
  }
  await expect.poll(calls, { timeout: 10_000 }).toHaveLength(1)
})

describe('an answer of status 200', () => {
  test.each([
    ['200-ok', undefined],
    ['200-code-fence', undefined],
    ['200-prose-around', undefined],
    // Read, though it fits another schema.
    ['200-tool-call', { code: 'REPLY_INVALID', kind: 'permanent' }],
    ['200-refusal', { code: 'REPLY_REFUSED', kind: 'permanent' }],
    ['200-content-filter', { code: 'REPLY_REFUSED', kind: 'permanent' }],
    ['200-error-in-body', { code: 'REPLY_FAILED', kind: 'transient' }],
    ['200-error-in-choice', { code: 'REPLY_FAILED', kind: 'transient' }],
    ['200-no-choices', { code: 'REPLY_EMPTY', kind: 'transient' }],
    ['200-length-truncated', { code: 'REPLY_CUT', kind: 'permanent' }],
    ['200-length-empty-reasoning', { code: 'REPLY_CUT', kind: 'permanent', message: expect.stringContaining('thinking') }],
    ['200-wrong-schema', { code: 'REPLY_INVALID', kind: 'permanent' }],
  ])('%s is what it is', async (file, error) => {
    const { ask } = await arrange({ answer: () => scriptedGatewayAnswer(file) })
    if (error) await expect(ask()).rejects.toMatchObject(error)
    else expect(await ask()).toMatchObject({ summary: expect.any(String) })
  })

  test('in the arguments of a tool call is an answer', async () => {
    const call = { function: { name: 'sum-up', arguments: '{"summary":"verktøy","action_points":[]}' } }
    const choice = { finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [call] } }
    const { ask } = await arrange({ answer: () => ({ status: 200, headers: {}, body: JSON.stringify({ choices: [choice] }) }) })
    expect(await ask()).toMatchObject({ summary: 'verktøy' })
  })

  test('that was cut is asked for once more with twice the room, never parsed, and both are paid for once', async () => {
    const cut = gatewayReply('{"summary":"ferdig?","action_points":[]}', { finishReason: 'length' })
    const { ask } = await arrange({
      answer: ({ chat }) => (chat?.max_tokens === 4_000 ? cut : gatewayReply('{"summary":"hel","action_points":[]}')),
    })
    expect(await ask()).toMatchObject({ summary: 'hel' })
    expect(await ask()).toMatchObject({ summary: 'hel' })
    expect(standIn.requests.map(({ chat }) => chat?.max_tokens)).toEqual([4_000, 8_000])
  })

  test('that does not fit is sent back once, with what is wrong', async () => {
    const { ask } = await arrange({
      answer: ({ chat }) => gatewayReply(chat?.messages.length === 2 ? '{"summary":7}' : '{"summary":"nå","action_points":[]}'),
    })
    expect(await ask()).toMatchObject({ summary: 'nå' })
    // Another attempt pays for neither.
    expect([await ask(), standIn.requests.length]).toMatchObject([{ summary: 'nå' }, 2])
    const [, , wrong, complaint] = standIn.requests[1]?.chat?.messages ?? []
    expect(wrong).toEqual({ role: 'assistant', content: '{"summary":7}' })
    expect(complaint?.content).toMatch(/summary/)
  })
})

describe('a refusal', () => {
  test.each([
    ['400-context-litellm', { code: 'CONTEXT_TOO_LONG', kind: 'permanent' }],
    ['400-context-openai', { code: 'CONTEXT_TOO_LONG', kind: 'permanent' }],
    ['402-openrouter-credits', { code: 'UPSTREAM_REJECTED', kind: 'permanent' }],
    ['402-openrouter-inflight', { code: 'UPSTREAM_RATE_LIMITED', kind: 'transient', retryAfterMs: 20_000 }],
    ['429-litellm', { code: 'UPSTREAM_RATE_LIMITED', kind: 'transient', retryAfterMs: 20_000 }],
    ['529-overloaded', { code: 'UPSTREAM_UNAVAILABLE', kind: 'transient' }],
  ])('%s is what it is, after one call', async (file, error) => {
    const { ask } = await arrange({ answer: () => scriptedGatewayAnswer(file) })
    await expect(ask()).rejects.toMatchObject(error)
    expect(standIn.requests).toHaveLength(1)
  })

  test('of a text by a guardrail says nothing against the gateway; a wrong key does', async () => {
    const flagged = { error: { code: 403, message: 'Input flagged: prompt injection patterns detected', metadata: { reasons: ['x'] } } }
    const { ask } = await arrange()
    standIn.fail({ answer: { status: 403, body: JSON.stringify(flagged), headers: { 'content-type': 'application/json' } } })
    await expect(ask()).rejects.toMatchObject({ code: 'REPLY_REFUSED', kind: 'permanent' })
    const { rows } = await database.pool.query(`select opened_at from service_breakers where service = 'gateway'`)
    expect(rows[0]?.opened_at ?? null).toBeNull()
    standIn.fail({ answer: scriptedGatewayAnswer('401-key') })
    await expect(ask({ name: 'again' })).rejects.toMatchObject({ kind: 'snooze' })
    await database.pool.query('select reset_service_breaker($1)', ['gateway'])
  })
})

describe('a slip', () => {
  test.each(['Sum up', 'sum_up', '', 'x'.repeat(61), 'é'])(
    'in the name of a question (%s) is refused before anything is asked',
    async (name) => {
      const { ask, steps } = await arrange()
      await expect(ask({ name })).rejects.toMatchObject({ code: 'QUESTION_NAME_INVALID', kind: 'configuration' })
      expect([standIn.requests.length, steps.size]).toEqual([0, 0])
      expect(await ask({ name: 'x'.repeat(60) })).toMatchObject({ summary: expect.any(String) })
    },
  )

  test('in the job type of a prompt is told once a job', async () => {
    const { ask, warnings } = await arrange()
    for (const name of ['one', 'two']) await ask({ name }, { prompts: { ai_tets: 'Skriv kort.', meeting_summarize: 'Kort.' } })
    expect(warnings).toEqual([[expect.stringContaining('nearly this job type'), { key: 'ai_tets' }]])
  })
})

describe('a model that the key may not use', () => {
  const denied = {
    message: "key not allowed to access model. This key can only access models=['sidelinja/rutine']. Tried to access dyr",
    ...{ type: 'key_model_access_denied', param: 'model', code: '403' },
  }
  const answer = { status: 403, body: JSON.stringify({ error: denied }), headers: { 'content-type': 'application/json' } }

  test('is that job’s failure for good, and closes the AI for nobody: not even a breaker that was open', async () => {
    const { ask, calls } = await arrange()
    const settings = { models: { routine: 'sidelinja/rutine', reasoning: 'dyr', embedding: 'sidelinja/embed' } }
    const opened = async () => (await database.pool.query('select from service_breakers where opened_at is not null')).rowCount
    standIn.fail({ times: 6, answer })
    for (let time = 0; time < 6; time++) {
      await expect(ask({ name: `dyr-${time}`, model: 'reasoning' }, settings)).rejects.toMatchObject({
        ...{ code: 'UPSTREAM_REJECTED', kind: 'permanent', status: 403 },
        message: expect.stringMatching(/"dyr".*models\.reasoning/),
      })
    }
    expect(await ask()).toMatchObject({ summary: expect.any(String) })
    expect(await opened()).toBe(0)
    expect((await calls())[0]).toMatchObject({ model_alias: 'dyr', error_code: 'UPSTREAM_REJECTED' })

    standIn.fail({ answer: scriptedGatewayAnswer('401-key') })
    await expect(ask({ name: 'a-key' })).rejects.toMatchObject({ kind: 'snooze' })
    expect(await opened()).toBe(1)
    await database.pool.query(`update service_breakers set probe_at = clock_timestamp() where service = 'gateway'`)
    standIn.fail({ answer })
    await expect(ask({ name: 'probe', model: 'reasoning' }, settings)).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
    expect(await opened()).toBe(0)
  })
})

describe('a budget', () => {
  test.each(['perJobUsd', 'perDayUsd', 'perMonthUsd'] as const)('%s stops calls once it is spent, and says so', async (bound) => {
    const options = {
      answer: () => gatewayReply('{"summary":"a","action_points":[]}'),
      usdPerMillionTokens: { prompt: 1_000, completion: 1_000 },
    }
    const { ask, calls } = await arrange(options, { budget: { [bound]: 0.001 } })
    await ask()
    await expect(ask({ name: 'second' })).rejects.toMatchObject({
      code: 'AI_BUDGET_SPENT',
      kind: 'permanent',
      message: expect.stringContaining(`budget.${bound}`),
    })
    expect(standIn.requests).toHaveLength(1)
    expect(await calls()).toHaveLength(1)
  })
})
