import { readdir, readFile } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, question, replies, segments, strict } from '../../../../test/stand-ins/gateway.ts'
import { gatewayReply } from './chat/completion.ts'
import type { GatewayStandInOptions } from './options.ts'
import { scriptedGatewayAnswer } from './scripted/scripted-answer.ts'
import { type GatewayStandIn, startGatewayStandIn } from './start-gateway-stand-in.ts'

let gateway: GatewayStandIn
afterEach(() => gateway.close())
const start = async (options: GatewayStandInOptions = {}) => {
  gateway = await startGatewayStandIn(options)
}

const schema = strict(replies.summarize_communication)
const plain = question({ segments: segments.nb }, schema)

describe('gateway stand-in', () => {
  test('answers as a chat completion, and says that it is no language model', async () => {
    await start()
    expect(gateway.describe()).toMatch(/LiteLLM.*extractive demo model.*no language model/)
    const { status, body, headers } = await ask(gateway, plain)
    const content: string = body.choices[0].message.content
    expect(status).toBe(200)
    expect(replies.summarize_communication.parse(JSON.parse(content))).toMatchObject({ language: 'nb' })
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'extractive demo model',
      choices: [{ finish_reason: 'stop', index: 0 }],
    })
    const { prompt_tokens, completion_tokens, total_tokens } = body.usage
    expect(prompt_tokens).toBe(Math.ceil(plain.messages.map((message) => message.content).join('').length / 4))
    expect(completion_tokens).toBe(Math.ceil(content.length / 4))
    expect(total_tokens).toBe(prompt_tokens + completion_tokens)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-litellm-call-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-litellm-model-id': 'extractive demo model',
      'x-litellm-model-group': 'sidelinja/rutine',
      'x-litellm-attempted-fallbacks': '0',
    })
    expect(Number(headers.get('x-litellm-response-cost'))).toBeCloseTo((prompt_tokens * 0.15 + completion_tokens * 0.6) / 1e6, 9)
  })

  test('keeps what was asked', async () => {
    await start()
    await ask(gateway, plain, 'key')
    expect(gateway.requests[0]).toMatchObject({ body: JSON.stringify(plain), chat: plain, headers: { authorization: 'Bearer key' } })
  })

  test('asks for its key, before everything else', async () => {
    await start({ apiKey: 'right' })
    const refused = { status: 401, body: { error: { type: 'auth_error', code: '401' } } }
    expect(await ask(gateway, 'nonsense')).toMatchObject(refused)
    expect(await ask(gateway, plain, 'wrong')).toMatchObject(refused)
    expect(await ask(gateway, plain, 'right')).toMatchObject({ status: 200 })
  })

  test('lists its models; another is refused, and so are other routes', async () => {
    await start({ models: ['a', 'b'] })
    const listed = await fetch(`${gateway.url}/v1/models`)
    expect(await listed.json()).toMatchObject({ object: 'list', data: [{ id: 'a', object: 'model' }, { id: 'b' }] })
    expect(await ask(gateway, plain)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('model=sidelinja/rutine'), param: 'model', code: '400' } },
    })
    expect(await ask(gateway, { ...plain, model: 'b' })).toMatchObject({ status: 200 })
    expect((await fetch(`${gateway.url}/v1/completions`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${gateway.url}/v1/chat/completions`)).status).toBe(405)
  })

  test('a limit of the answer cuts it, and says so', async () => {
    await start()
    const { body } = await ask(gateway, { ...plain, max_tokens: 10 })
    expect(body.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: expect.stringMatching(/^\{"summary":.{29}$/) } })
    expect(body.usage.completion_tokens).toBe(10)
  })

  test('a prompt that is too long is refused as by a model', async () => {
    await start({ contextTokens: 200 })
    const { status, body } = await ask(gateway, plain)
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringMatching(/ContextWindowExceededError.*maximum context length is 200 tokens/),
    ])
    expect(await ask(gateway, question({ text: 'Kort.' }, schema))).toMatchObject({ status: 200 })
    expect(await ask(gateway, question({ text: 'Kort.' }, schema, { max_completion_tokens: 200 }))).toMatchObject({ status: 400 })
  })

  test('with openrouter the cost stands in the body, and codes are numbers', async () => {
    await start({ dialect: 'openrouter', apiKey: 'k', usdPerMillionTokens: { prompt: 1, completion: 10 } })
    const { body, headers } = await ask(gateway, plain, 'k')
    expect(body.usage.cost).toBeCloseTo((body.usage.prompt_tokens + 10 * body.usage.completion_tokens) / 1e6, 9)
    expect([...headers.keys()].filter((name) => name.startsWith('x-litellm'))).toEqual([])
    expect(await ask(gateway, plain)).toMatchObject({ status: 401, body: { error: { code: 401 } } })
    expect((await ask(gateway, { ...plain, model: 'scripted/200-ok' }, 'k')).body.usage.cost).toBe(0.00042)
  })

  test('one’s own answers come before the model’s', async () => {
    const hostile = { summary: 'x', key_points: ['<script>'], language: 'nb' }
    await start({ answer: ({ chat }) => (chat?.messages[1]?.content.includes('Bergen') ? gatewayReply(hostile) : undefined) })
    expect(JSON.parse((await ask(gateway, plain)).body.choices[0].message.content)).toEqual(hostile)
    expect(await ask(gateway, question({ text: 'Hei du.' }, schema))).toMatchObject({ body: { model: 'extractive demo model' } })
  })

  test('one’s own answers are for the models that there are', async () => {
    await start({ models: ['a'], answer: () => gatewayReply('mine') })
    expect(await ask(gateway, plain)).toMatchObject({ status: 400 })
    expect((await ask(gateway, { ...plain, model: 'a' })).body.choices[0].message.content).toBe('mine')
    expect(await ask(gateway, { ...plain, model: 'scripted/503' })).toMatchObject({ status: 503 })
  })

  test.each(['litellm', 'openrouter'] as const)('a completion by fail costs what the scripted model costs (%s)', async (dialect) => {
    await start({ dialect, usdPerMillionTokens: { prompt: 3, completion: 7 } })
    const costOf = ({ headers, body }: Awaited<ReturnType<typeof ask>>) => headers.get('x-litellm-response-cost') ?? body.usage.cost
    const byModel = costOf(await ask(gateway, { ...plain, model: 'scripted/200-refusal' }))
    gateway.fail({ answer: scriptedGatewayAnswer('200-refusal') }, { answer: { status: 403, body: 'no', headers: {} } })
    expect(costOf(await ask(gateway, plain))).toBe(byModel)
    expect(Number(byModel)).toBeGreaterThan(0)
    const page = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST' })
    expect([...page.headers.keys()].filter((name) => name.startsWith('x-'))).toEqual([])
  })

  test('so many 429, then an answer; a body that is cut; nothing at all', async () => {
    await start({ faults: [{ times: 2, answer: scriptedGatewayAnswer('429-litellm') }, { drop: 'mid-body' }, { hang: 'before-headers' }] })
    const refused = [await ask(gateway, plain), await ask(gateway, plain)]
    expect(refused.map(({ status, headers, body }) => [status, headers.get('retry-after'), body.error.code])).toEqual([
      [429, '20', '429'],
      [429, '20', '429'],
    ])
    await expect(ask(gateway, plain)).rejects.toThrow()
    const waiting = ask(gateway, plain).catch((error: unknown) => error)
    await gateway.received(4)
    expect(await ask(gateway, plain)).toMatchObject({ status: 200 })
    await gateway.close()
    expect(await waiting).toBeInstanceOf(Error)
  })
})

describe('scripted models', async () => {
  const folder = new URL('scripted/answers/', import.meta.url)
  const files = await readdir(folder)

  test.each(files)('scripted/%s gives that answer', async (file) => {
    await start()
    const { status, body } = await ask(gateway, { ...plain, model: `scripted/${file}` })
    expect(status).toBe(Number(file.slice(0, 3)))
    expect(body).toEqual(JSON.parse(await readFile(new URL(file, folder), 'utf8')))
    expect(await ask(gateway, { ...plain, model: `scripted/${file.replace('.json', '')}` })).toMatchObject({ status, body })
  })

  test('there is one for each of the fixed answers', () => {
    expect(files).toHaveLength(19)
  })

  test('a status is enough; those that ask to wait say how long', async () => {
    await start()
    const answers = await Promise.all(['429', '500', '529'].map((name) => ask(gateway, { ...plain, model: `scripted/${name}` })))
    expect(answers.map(({ status, body, headers }) => [status, body.error.code, headers.get('retry-after')])).toEqual([
      [429, '429', '20'],
      [500, '500', null],
      [529, '529', null],
    ])
  })

  test('a name that is none is refused', async () => {
    await start()
    expect(await ask(gateway, { ...plain, model: 'scripted/nope' })).toMatchObject({ status: 400, body: { error: { param: 'model' } } })
    expect(() => scriptedGatewayAnswer('nope')).toThrow(RangeError)
  })
})
