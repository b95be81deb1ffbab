import { randomUUID } from 'node:crypto'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { judge, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const newJob = async () => ({ id: randomUUID(), collectionNodeId: await t.collection() })
const judging = (content: string) => t.says(({ chat }) => gatewayReply(chat?.model === judge ? content : 'Ja.'))
const rubric = { prompt: 'Hei', tests: [{ assert: [{ type: 'llm-rubric', value: 'god' }] }], models: ['liten'] }

test.each([
  ['1e-60', 0],
  ['-0.0', 0],
  ['0.1234567890123456789', 0.123457],
])('a score of %s is stored as %d: what was paid for is not lost to a column', async (score, stored) => {
  judging(`{"reason":"Nei.","quote":null,"score":${score},"pass":false}`)
  const job = await newJob()
  await t.evaluate(rubric, { job })
  expect((await t.stored(job.collectionNodeId, job.id))[0]?.score).toBeCloseTo(stored, 6)
})

test('a temperature next to nothing is stored', async () => {
  judging('')
  const job = await newJob()
  await t.evaluate({ ...rubric, tests: [{}], temperature: 1e-60 }, { job })
  expect(await t.stored(job.collectionNodeId, job.id)).toMatchObject([{ temperature: 0, pass: true }])
})

test('NUL and half signs in a test or a reason are stored as what says that they were there', async () => {
  judging(JSON.stringify({ reason: 'a\0b\ud800', quote: null, score: 0, pass: false }))
  const job = await newJob()
  const content = JSON.stringify([{ description: 'a\0b', vars: {}, assert: [{ type: 'llm-rubric', value: 'x\0', metric: 'm\0' }] }])
  const { id: testsNodeId } = await insertNode(t.db, { content })
  await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [job.collectionNodeId, testsNodeId])
  await t.evaluate({ prompt: 'Hei', testsNodeId, models: ['liten'] }, { job })
  expect(await t.stored(job.collectionNodeId, job.id)).toMatchObject([{ description: 'a\ufffdb', asserts: [{ metric: 'm\ufffd' }] }])
})

test('patterns that are never compiled hold up neither the worker nor the other assertions', { timeout: 30_000 }, async () => {
  judging('')
  const job = await newJob()
  const bomb = { type: 'regex', value: `(?:${'a?'.repeat(200)})aaaaaaaaa` }
  const assert = [{ type: 'regex', value: '^Ja' }, bomb, { ...bomb, type: 'not-regex' }, { type: 'regex', value: 'Nei' }]
  let turns = 0
  const turning = setInterval(() => turns++, 50)
  await t.evaluate({ prompt: 'Hei', tests: [{ assert }, { assert }], models: ['liten'] }, { job })
  clearInterval(turning)
  expect(turns).toBeGreaterThan(20)
  const reasons = { pass: false, reason: 'too slow' }
  for (const { asserts } of await t.stored(job.collectionNodeId, job.id)) {
    expect(asserts).toMatchObject([{ pass: true, reason: null }, reasons, reasons, { pass: false, reason: null }])
  }
})

test.each(['{{__proto__}}', '{{constructor}}', '{{toString}}', '{{hasOwnProperty}}'])('%s is no variable', async (prompt) => {
  await expect(t.evaluate({ ...rubric, prompt }, { job: await newJob() })).rejects.toMatchObject({ code: 'PROMPT_TEMPLATE_INVALID' })
})
