import { randomUUID } from 'node:crypto'
import type { JsonValue } from '@sidelinja/jobs-core'
import { type ChatRequest, embeddingsAnswer, gatewayReply, scriptedGatewayAnswer } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { AssertOutcome } from '../src/grade.ts'
import { judge, judged, models, reply, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
/** What the gateway's vectors are, text by text; undefined: those of the stand-in. */
let vectors: ((texts: readonly string[]) => ReturnType<typeof embeddingsAnswer> | undefined) | undefined
beforeAll(async () => {
  t = await setup(inject('server'), { answerEmbeddings: (texts) => vectors?.(texts) })
})
afterAll(() => t.drop())
beforeEach(async () => {
  t.says()
  vectors = undefined
  await t.pool.query('delete from service_breakers')
})

const newJob = async () => ({ id: randomUUID(), collectionNodeId: await t.collection() })
const said: Readonly<Record<string, string>> = { liten: 'Møtet er klokka 18.', stor: 'Velkommen til møte klokka 18 i grendehuset!' }
const sample = (...assert: object[]) => ({ prompt: 'Si fra om møtet.', tests: [{ assert }], models })
const assertsOf = async ({ collectionNodeId, id }: { collectionNodeId: string; id: string }) =>
  (await t.stored(collectionNodeId, id)).map(({ asserts }) => asserts as AssertOutcome[])

/** The judge chooses the output that has these words. */
const choosing = (words: string, more: object = {}) =>
  t.says(({ chat }) => {
    if (chat?.model !== judge) return gatewayReply(said[chat?.model ?? ''] ?? '')
    const at = outputsOf(chat).findIndex(({ output }) => output.includes(words))
    return gatewayReply(JSON.stringify({ reason: 'Fordi.', best: at + 1, quote: words, ...more }))
  })
const outputsOf = (chat: ChatRequest | undefined) => (judged(chat) as unknown as { outputs: { number: number; output: string }[] }).outputs

describe('select-best', () => {
  test('has the judge choose once among the outputs of all models, without names, and one passes', async () => {
    choosing('grendehuset')
    const job = await newJob()
    const { result } = await t.evaluate(sample({ type: 'select-best', value: 'sier hvor' }, { type: 'contains', value: '18' }), { job })
    expect(result).toMatchObject({
      ...{ left: 0, stopped: null, judgeModel: judge, costUsd: 0.03, judgeCostUsd: 0.01 },
      models: [
        { model: 'liten', passed: 0, failed: 1, score: 0.5, costUsd: 0.01 },
        { model: 'stor', passed: 1, failed: 0, score: 1, costUsd: 0.01 },
      ],
    })
    expect((await assertsOf(job)).map(([best]) => best)).toMatchObject([
      { type: 'select-best', pass: false, score: 0, reason: 'Fordi.', quote: null },
      { type: 'select-best', pass: true, score: 1, reason: 'Fordi.', quote: 'grendehuset' },
    ])
    const asked = t.asked().map(({ chat }) => chat)
    expect(asked.map((chat) => chat?.model)).toEqual([...models, judge])
    expect(
      outputsOf(asked[2])
        .map(({ output }) => output)
        .toSorted(),
    ).toEqual(Object.values(said).toSorted())
    expect(JSON.stringify(asked[2]?.messages)).not.toMatch(/\bliten\b|\bstor\b/)
  })

  test('does not have the same model first in every round', async () => {
    choosing('klokka')
    await t.evaluate({ ...sample({ type: 'select-best', value: 'x' }), repeat: 10 }, { job: await newJob() })
    const contests = t.asked().flatMap(({ chat }) => (chat?.model === judge ? [outputsOf(chat)[0]?.output] : []))
    expect(contests).toHaveLength(10)
    expect(new Set(contests).size).toBe(2)
  })

  test.each([
    ['with a quote that does not stand in it', { quote: 'noe annet' }, 'VERDICT_UNFOUNDED'],
    ['that is not there', { best: 3 }, 'REPLY_INVALID'],
    ['that is no number', { best: 'stor' }, 'REPLY_INVALID'],
  ])('is nothing where the judge chooses one %s', async (_, more, code) => {
    choosing('grendehuset', more)
    const job = await newJob()
    const { result } = await t.evaluate(sample({ type: 'select-best', value: 'x' }), { job })
    expect(result.models).toMatchObject([{ ungraded: 1, passRate: null }, { ungraded: 1 }])
    expect((await assertsOf(job)).map(([best]) => best?.error)).toEqual([code, code])
  })

  test('is won by whoever alone has an output, and by all who say the same, and nobody is asked', async () => {
    t.says(({ chat }) => (chat?.model === 'stor' ? scriptedGatewayAnswer('200-refusal') : gatewayReply('Ja.')))
    const alone = await t.evaluate(sample({ type: 'select-best', value: 'x' }), { job: await newJob() })
    expect(alone.result.models).toMatchObject([{ passed: 1 }, { errors: 1 }])
    t.says(() => gatewayReply('Ja.'))
    const same = await t.evaluate(sample({ type: 'select-best', value: 'x' }), { job: await newJob() })
    expect(same.result.models).toMatchObject([{ passed: 1 }, { passed: 1 }])
    expect(t.asked()).toHaveLength(2)
  })

  test('stops with the money, and says what is left', async () => {
    choosing('grendehuset')
    const { result } = await t.evaluate({ ...sample({ type: 'select-best', value: 'x' }), maxCostUsd: 0.015 }, { job: await newJob() })
    expect(t.asked()).toHaveLength(2)
    expect(result).toMatchObject({ stopped: 'cost_cap', left: 2, costUsd: 0.02 })
  })

  test('goes on where the attempt before broke off, and pays for nothing twice', async () => {
    t.says(({ chat }) => (chat?.model === judge ? scriptedGatewayAnswer('503') : gatewayReply(said[chat?.model ?? ''] ?? '')))
    const job = await newJob()
    const steps: Record<string, JsonValue> = {}
    await expect(t.evaluate(sample({ type: 'select-best', value: 'x' }), { job, steps })).rejects.toMatchObject({ kind: 'transient' })
    expect(Object.keys(steps)).toHaveLength(2)
    choosing('grendehuset')
    const { result } = await t.evaluate(sample({ type: 'select-best', value: 'x' }), { job: { ...job, attempt: 2 }, steps })
    expect(result).toMatchObject({ costUsd: 0.03, models: [{ failed: 1 }, { passed: 1 }] })
    expect(t.asked().map(({ chat }) => chat?.model)).toEqual([judge])
  })

  test('needs several models, and a judge that is none of them', async () => {
    const given = sample({ type: 'select-best', value: 'x' })
    for (const more of [{ models: ['liten'] }, { models: ['liten', judge] }]) {
      await expect(t.evaluate({ ...given, ...more }, { job: await newJob() })).rejects.toMatchObject({ code: 'EVALUATION_INVALID' })
    }
    expect(t.asked()).toEqual([])
  })
})

describe('similar', () => {
  const similar = (more: object = {}) => ({ ...sample({ type: 'similar', value: 'Møtet begynner {{tid}}.', ...more }), models: ['liten'] })
  const given = (more: object = {}) => ({ ...similar(more), tests: [{ ...similar(more).tests[0], vars: { tid: 'klokka 18' } }] })
  const at = (degrees: number) => (texts: readonly string[]) =>
    embeddingsAnswer(texts.map((_, index) => [Math.cos((index * degrees * Math.PI) / 180), Math.sin((index * degrees * Math.PI) / 180)]))

  test.each([
    [10, {}, true, 0.9848],
    [60, {}, false, 0.5],
    [60, { threshold: 0.4 }, true, 0.5],
    [180, { threshold: 0 }, true, 0],
    [60, { type: 'not-similar' }, true, 0.5],
    [10, { type: 'not-similar' }, false, 0.0152],
  ])('at %i degrees with %j: %s', async (degrees, more, pass, score) => {
    vectors = at(degrees)
    const job = await newJob()
    const { result } = await t.evaluate(given(more), { job })
    expect((await assertsOf(job))[0]).toMatchObject([{ pass, score: expect.closeTo(score, 3), error: null }])
    expect(result).toMatchObject({ judgeModel: null, models: [{ passed: Number(pass) }] })
  })

  test("asks the collection's model for vectors, of the output and the text, once for all attempts, within the cap", async () => {
    const job = await newJob()
    const steps: Record<string, JsonValue> = {}
    await t.evaluate(given(), { job, steps })
    const { result } = await t.evaluate(given(), { job: { ...job, attempt: 2 }, steps })
    expect(
      t
        .asked()
        .map(({ body }) => JSON.parse(body))
        .slice(1),
    ).toEqual([
      { model: 'sidelinja/embed', input: [reply(t.asked()[0]?.chat) ?? 'Ja.', 'Møtet begynner klokka 18.'], encoding_format: 'float' },
    ])
    expect(result.judgeCostUsd).toBeGreaterThan(0)
    expect(result.costUsd).toBeCloseTo(result.judgeCostUsd + (result.models[0]?.costUsd ?? 9), 8)
    const capped = await t.evaluate({ ...given(), maxCostUsd: 0.005 }, { job: await newJob() })
    expect(capped.result).toMatchObject({ stopped: 'cost_cap', left: 1 })
  })

  test('of an output of blanks is none, and nobody is asked', async () => {
    t.says(() => gatewayReply(' \n.'))
    vectors = at(10)
    await t.evaluate(given(), { job: await newJob() })
    expect(t.asked()).toHaveLength(2)
  })

  test('that cannot be told counts for nothing, and trouble that may pass fails the attempt but the last', async () => {
    vectors = () => ({
      ...embeddingsAnswer([
        [0, 0],
        [1, 0],
      ]),
    })
    await expect(t.evaluate(given(), { job: { ...(await newJob()), attempt: 1 } })).rejects.toMatchObject({ kind: 'transient' })
    const last = { ...(await newJob()), attempt: 3, maxAttempts: 3 }
    const { result } = await t.evaluate(given(), { job: last })
    expect(result.models).toMatchObject([{ ungraded: 1, graded: 0 }])
    expect((await assertsOf(last))[0]?.[0]).toMatchObject({ pass: null, error: 'EMBEDDINGS_INVALID' })
  })
})

test('a judge who is down at the last attempt costs one verdict, and not what all cells have cost; a retry asks again', async () => {
  t.says(({ chat }) => (chat?.model === judge ? scriptedGatewayAnswer('500') : gatewayReply('Ja.')))
  const job = { ...(await newJob()), attempt: 3, maxAttempts: 3 }
  const steps: Record<string, JsonValue> = {}
  const given = { ...sample({ type: 'llm-rubric', value: 'x' }), models: ['liten'] }
  const { result } = await t.evaluate(given, { job, steps })
  expect(result.models).toMatchObject([{ ungraded: 1 }])
  expect(Object.keys(steps).filter((name) => name.startsWith('judge'))).toEqual([])
})
