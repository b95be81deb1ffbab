import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { createEmbeddingClient, type GatewayConfig } from '@sidelinja/jobs-kit'
import { type Answer, embeddingsAnswer, type GatewayStandInOptions, hashedNgrams } from '@sidelinja/jobs-kit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { arrangeAsking } from './support.ts'

let database: TestDatabase
let close = async () => {}
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())
afterEach(() => close())

async function arrange(options: GatewayStandInOptions = {}, more: Parameters<typeof arrangeAsking>[2] = {}) {
  const arranged = await arrangeAsking(database, options, more)
  close = () => arranged.standIn.close()
  const embed = (texts: readonly string[]) => arranged.embed({ name: 'texts', texts, promptVersion: 'test/1' })
  /** What was sent, call by call. */
  const sent = () => arranged.standIn.requests.map(({ body }) => JSON.parse(body) as { input: string[]; encoding_format?: string })
  return { ...arranged, embed, sent }
}

const texts = ['ferja går', 'skolen er stengt', 'budsjettet ble vedtatt', 'det snør i fjellet', 'bompengene øker']
const refused = (status: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { message, type: null, param: null, code: String(status) } }),
})

test('vectors come in the order of their texts, at length one; they are paid for once', async () => {
  const { embed, sent, calls } = await arrange()
  const vectors = await embed(texts)
  const expected = await hashedNgrams.embed(texts)
  for (const [index, vector] of vectors.entries()) {
    const length = Math.hypot(...(expected[index] ?? []))
    expect([...vector].every((value, at) => Math.abs(value - (expected[index]?.[at] ?? 9) / length) < 1e-6)).toBe(true)
  }
  expect(await embed(texts)).toEqual(vectors)
  expect(sent()).toEqual([{ model: 'sidelinja/embed', input: texts, encoding_format: 'float' }])
  expect(await calls()).toMatchObject([
    {
      question: 'texts',
      model_alias: 'sidelinja/embed',
      model_served: 'hashed letter groups',
      prompt_tokens: expect.any(Number),
      error_code: null,
    },
  ])
})

test.each([
  ['float', 'float'],
  ['base64', 'base64'],
  ['omit', undefined],
] as const)('asked for as %s, a vector is the same', async (embeddingFormat, said) => {
  const { embed, sent } = await arrange({}, { gateway: { embeddingFormat } })
  const [vector] = await embed(['ferja går'])
  expect(sent()[0]?.encoding_format).toBe(said)
  expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5)
  expect(vector).toHaveLength(256)
})

test('base64 is read also where numbers were asked for', async () => {
  const { embed } = await arrange({
    answerEmbeddings: (given) =>
      embeddingsAnswer(
        given.map(() => [3, 4]),
        { format: 'base64' },
      ),
  })
  const [vector] = await embed(['en'])
  expect([...(vector ?? [])].map((value) => value.toFixed(4))).toEqual(['0.6000', '0.8000'])
})

describe('a batch that is refused', () => {
  test.each([
    [400, 'Requested more than 300000 tokens per request.'],
    [413, 'Request Entity Too Large'],
    [400, "This model's maximum context length is 8192 tokens."],
  ])('with %i is halved until it goes; another attempt does not begin with it again', async (status, message) => {
    const { embed, sent, steps } = await arrange({ answerEmbeddings: (given) => (given.length > 2 ? refused(status, message) : undefined) })
    expect(await embed(texts)).toHaveLength(5)
    expect(sent().map(({ input }) => input.length)).toEqual([5, 3, 2, 1, 2])
    await embed(texts)
    expect(sent()).toHaveLength(5)
    expect(steps.size).toBe(5)
  })

  test('down to one text, which says so itself', async () => {
    const { embed, calls } = await arrange({
      answerEmbeddings: (given) =>
        given.includes('budsjettet ble vedtatt') ? refused(400, "This model's maximum context length is 512 tokens.") : undefined,
    })
    await expect(embed(texts)).rejects.toMatchObject({ kind: 'permanent', code: 'CONTEXT_TOO_LONG' })
    expect((await calls()).map(({ error_code }) => error_code)).toEqual(['CONTEXT_TOO_LONG', 'CONTEXT_TOO_LONG', null, 'CONTEXT_TOO_LONG'])
  })

  test('not for a model that is not there: fewer texts would not help', async () => {
    const { embed, sent } = await arrange({}, { settings: { models: { embedding: 'sidelinja/finnes-ikke' } } })
    await expect(embed(texts)).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED', message: expect.stringContaining('models.embedding') })
    expect(sent()).toHaveLength(1)
  })
})

test('an answer of another model within one job is refused: vectors of two models cannot be compared', async () => {
  let calls = 0
  const { embed } = await arrange({ answerEmbeddings: (given) => embeddingsAnswer(given.map(() => (calls++ < 32 ? [1, 0] : [1, 0, 0]))) })
  await expect(embed(Array.from({ length: 40 }, (_, n) => `tekst ${n}`))).rejects.toMatchObject({ code: 'EMBEDDING_DIMENSIONS' })
})

test('a spent budget ends it before anything is asked', async () => {
  const { embed, sent } = await arrange({}, { settings: { budget: { perJobUsd: 0 } } })
  await expect(embed(texts)).rejects.toMatchObject({ code: 'AI_BUDGET_SPENT' })
  expect(sent()).toEqual([])
})

test('an error within a 200 is an error, and no list of vectors at all, too', async () => {
  const json = (value: object): Answer => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
  const answers = [json({ error: { message: 'overloaded', code: 529 } }), json({ data: 'none' })]
  const { embed } = await arrange({ answerEmbeddings: () => answers.shift() })
  await expect(embed(['en'])).rejects.toMatchObject({ kind: 'transient', code: 'REPLY_FAILED' })
  await expect(embed(['en'])).rejects.toMatchObject({ kind: 'transient', code: 'REPLY_FAILED' })
})

test('whoever searches gets the same vector as the job, without a job', async () => {
  const { embed, standIn } = await arrange()
  const config: GatewayConfig = { url: new URL(standIn.url), apiKey: 'hemmelig', timeoutMs: 10_000 }
  const client = createEmbeddingClient(config)
  const [vector] = await embed(['ferja går'])
  expect(await client.embed('sidelinja/embed', 'ferja går', AbortSignal.timeout(10_000))).toEqual(vector)
  await expect(client.embed('ukjent', 'ferja går', AbortSignal.timeout(10_000))).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
})
