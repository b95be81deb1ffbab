import { enqueue } from '@sidelinja/jobs-core'
import { drain } from '@sidelinja/jobs-core/testing'
import { searchEmbeddings } from '@sidelinja/jobs-kit/storage'
import { hashedNgrams } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { generateEmbeddings } from '../src/job.ts'
import { article, setup } from './support.ts'

// What happens to a node while its vectors are made.

const settings = { embeddings: { chunkTokens: 50 } }
let t: Awaited<ReturnType<typeof setup>>
let meanwhile: (() => Promise<unknown>) | undefined
beforeAll(async () => {
  t = await setup(inject('server'), {
    async answerEmbeddings() {
      const act = meanwhile
      meanwhile = undefined
      await act?.()
      return undefined
    },
  })
})
afterAll(() => t.drop())
beforeEach(() => {
  t.sent()
})

const changed = article({ school: 'Skolen på Nes skal likevel ikke pusses opp i det hele tatt.' })
const textsOf = async (nodeId: string) => (await t.rows(nodeId)).map(({ text }) => text.split('\n').at(-1))
const run = (nodeId: string, collectionNodeId: string) => enqueue(t.db, generateEmbeddings, { nodeId }, { collectionNodeId })

test('a node that gets another text meanwhile has the vectors of that one in the end, and no attempt is charged', async () => {
  const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
  meanwhile = () => t.setContent(nodeId, changed)
  await run(nodeId, collectionNodeId)
  const runs = await drain(t, [t.handler], { withScheduled: true })
  expect(runs.map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
    ['snoozed', 1],
    ['completed', 1],
  ])
  expect(await textsOf(nodeId)).toEqual(changed.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
})

test('of two jobs of one node the one with the older text writes nothing over the newer', async () => {
  const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
  // The second one reads, asks and writes while the first waits for its answer.
  meanwhile = async () => {
    await t.setContent(nodeId, changed)
    await t.run({ nodeId }, collectionNodeId)
  }
  await expect(t.run({ nodeId }, collectionNodeId)).rejects.toMatchObject({ kind: 'snooze' })
  expect(await textsOf(nodeId)).toContain('Skolen på Nes skal likevel ikke pusses opp i det hele tatt.')
  expect(await t.run({ nodeId }, collectionNodeId)).toMatchObject({ texts: 3, embedded: 0 })
})

test('many jobs of one node at once, while it is written again and again, leave the vectors of its last text', async () => {
  const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
  let version = 0
  const writeOn = async () => {
    version += 1
    await t.setContent(nodeId, article({ school: `Skolen på Nes får tak nummer ${version} før høsten kommer.` }))
    if (version < 12) meanwhile = writeOn
  }
  meanwhile = writeOn
  for (let n = 0; n < 8; n++) await run(nodeId, collectionNodeId)
  const runs = await drain(t, [t.handler], { withScheduled: true, maxConcurrent: 8 })
  expect(new Set(runs.map(({ outcome }) => outcome))).toEqual(new Set(['snoozed', 'completed']))
  expect(await textsOf(nodeId)).toContain('Skolen på Nes får tak nummer 12 før høsten kommer.')
  expect(await t.rows(nodeId)).toHaveLength(3)
})

test('a node that is deleted or leaves meanwhile ends it for good, and nothing is left', async () => {
  for (const statement of ['delete from nodes where id = $1', 'delete from edges where target_id = $1']) {
    const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
    meanwhile = () => t.pool.query(statement, [nodeId])
    await expect(t.run({ nodeId }, collectionNodeId)).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    expect(await t.rows(nodeId)).toEqual([])
  }
})

test('a worker that dies between two calls pays for none twice but the one under way', async () => {
  const sections = Array.from(
    { length: 70 },
    (_, n) => `# ${n}\n\nAvsnitt nummer ${n} handler om vei nummer ${n} og bro nummer ${n} i kommunen.\n`,
  )
  const { collectionNodeId, nodeId } = await t.arrange(sections.join('\n'), settings)
  let calls = 0
  const dying = () => {
    calls += 1
    if (calls === 2) throw new Error('the worker is gone')
    meanwhile = async () => dying()
  }
  meanwhile = async () => dying()
  await run(nodeId, collectionNodeId)
  const [first] = await drain(t, [t.handler])
  expect(first).toMatchObject({ outcome: 'retry' })
  await drain(t, [t.handler], { withScheduled: true })
  expect(t.sent().map((texts) => texts.length)).toEqual([32, 32, 32, 6])
  expect(await t.rows(nodeId)).toHaveLength(70)
})

test('texts of nothing but blanks, signs and pictures are texts or none, and never fail', async () => {
  for (const [content, texts] of [
    [' \n\t\u00a0\u2003 ', 0],
    ['\u200b\u200b', 0],
    ['🎉🎉🎉', 1],
    ['…?!', 1],
    ['e\u0301\u0301\u0301\u0301', 1],
    [`# ${'👩‍👩‍👧‍👦'.repeat(200)}`, undefined],
  ] as const) {
    const { collectionNodeId, nodeId } = await t.arrange(content, settings)
    const result = await t.run({ nodeId }, collectionNodeId)
    if (texts !== undefined) expect(result, JSON.stringify(content)).toMatchObject({ texts })
    for (const text of t.sent().flat()) expect(text.isWellFormed()).toBe(true)
  }
})

test('a million characters are embedded in batches, each below its bounds, and found at their end', async () => {
  const words = Array.from({ length: 14_000 }, (_, n) => `Sak ${n} om veien ble behandlet av utvalget i møte nummer ${n % 97}.`)
  const { collectionNodeId, nodeId } = await t.arrange(words.join(' ').slice(0, 1_000_000))
  const { texts } = await t.run({ nodeId }, collectionNodeId)
  const sent = t.sent()
  expect(sent.flat()).toHaveLength(texts)
  expect(Math.max(...sent.map((batch) => batch.length))).toBe(32)
  const rows = await t.rows(nodeId)
  const last = rows.at(-1)?.text ?? ''
  const [vector = []] = await hashedNgrams.embed([last])
  const [hit] = await searchEmbeddings(t.db, collectionNodeId, { vector: Float32Array.from(vector), model: 'sidelinja/embed', limit: 1 })
  expect(hit).toMatchObject({ seq: rows.length - 1, text: last })
}, 60_000)
