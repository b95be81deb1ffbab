import { readEmbeddingMode, replaceSegments, searchEmbeddings } from '@sidelinja/jobs-kit/storage'
import { embeddingsAnswer, hashedNgrams } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { article, setup } from './support.ts'

/** Each section of the article is a text of its own. */
const settings = { embeddings: { chunkTokens: 50 } }
let t: Awaited<ReturnType<typeof setup>>
let answer: ((texts: readonly string[]) => ReturnType<typeof embeddingsAnswer> | undefined) | undefined
beforeAll(async () => {
  t = await setup(inject('server'), { answerEmbeddings: (texts) => answer?.(texts) })
})
afterAll(() => t.drop())
beforeEach(() => {
  answer = undefined
  t.sent()
})

describe('what is paid for', () => {
  test('a text that has its vector is not asked for again; one that has changed is, and the old one goes', async () => {
    const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
    expect(await t.run({ nodeId }, collectionNodeId)).toEqual({ model: 'sidelinja/embed', dimensions: 256, texts: 3, embedded: 3 })
    expect(t.sent()).toHaveLength(1)

    expect(await t.run({ nodeId }, collectionNodeId)).toMatchObject({ texts: 3, embedded: 0 })
    expect(t.sent()).toEqual([])

    await t.setContent(nodeId, article({ school: 'Skolen på Nes skal likevel ikke pusses opp i det hele tatt.' }))
    expect(await t.run({ nodeId }, collectionNodeId)).toMatchObject({ texts: 3, embedded: 1 })
    expect(t.sent()).toEqual([[expect.stringContaining('likevel ikke')]])
    expect((await t.rows(nodeId)).map(({ text }) => text)).toEqual([
      expect.stringContaining('Ferja'),
      expect.stringContaining('likevel ikke'),
      expect.stringContaining('budsjettet'),
    ])
  })

  test('a text that has moved keeps its vector and gets its new place', async () => {
    const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
    await t.run({ nodeId }, collectionNodeId)
    const before = await t.rows(nodeId)
    await t.setContent(nodeId, `# brann\n\nDet brant i et naust på Steinøya i natt, og ingen ble skadd.\n\n${article()}`)
    expect(await t.run({ nodeId }, collectionNodeId)).toMatchObject({ texts: 4, embedded: 1 })
    expect((await t.rows(nodeId)).slice(1)).toEqual(before.map((row) => ({ ...row, seq: row.seq + 1 })))
  })

  test('everything is asked for anew on demand, and for another model, whose vectors take the place of the old ones', async () => {
    const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
    await t.run({ nodeId }, collectionNodeId)
    expect(await t.run({ nodeId, force: true }, collectionNodeId)).toMatchObject({ embedded: 3 })
    await t.pool.query(`update node_embeddings set model = 'sidelinja/gammel' where node_id = $1`, [nodeId])
    expect(await t.run({ nodeId }, collectionNodeId)).toMatchObject({ embedded: 3 })
    expect((await t.rows(nodeId)).map(({ model }) => model)).toEqual(Array(3).fill('sidelinja/embed'))
  })

  test('vectors of another length than those that are there: all are asked for', async () => {
    const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
    answer = (texts) => embeddingsAnswer(texts.map(() => [1, 2, 3]))
    await t.run({ nodeId }, collectionNodeId)
    answer = undefined
    await t.setContent(nodeId, article({ school: 'Skolen er solgt til en privat eier, opplyser rektor.' }))
    expect(await t.run({ nodeId }, collectionNodeId)).toMatchObject({ dimensions: 256, texts: 3, embedded: 3 })
    expect(new Set((await t.rows(nodeId)).map(({ embedding }) => embedding.length))).toEqual(new Set([256]))
  })
})

test('what is said is found with its times, and the title with the content', async () => {
  const { collectionNodeId, nodeId } = await t.arrange('En episode om ferja.', settings, 'Øysending')
  const rest = { speaker: null, avgLogprob: null, noSpeechProb: null, compressionRatio: null, language: null, suspect: [], raw: null }
  const segments = [
    { startMs: 0, endMs: 4_000, text: 'Velkommen til Øysending.', ...rest },
    { startMs: 4_000, endMs: 9_000, text: 'I dag snakker vi om bompenger og fergepriser.', ...rest },
  ]
  await replaceSegments(t.db, collectionNodeId, nodeId, { jobId: null, language: 'nb', segments })
  // As it is given to what follows a transcription.
  await t.run({ mediaNodeId: nodeId }, collectionNodeId)
  const [vector] = await hashedNgrams.embed(['bompenger og fergepriser'])
  const [hit] = await searchEmbeddings(t.db, collectionNodeId, { vector: unit(vector), model: 'sidelinja/embed', limit: 1 })
  expect(hit).toMatchObject({ nodeId, seq: 1, startMs: 0, endMs: 9_000, text: expect.stringContaining('bompenger') })
  expect((await t.rows(nodeId))[0]?.text).toBe('Øysending\n\nEn episode om ferja.')
})

test('a node without text has nothing to find, and what it had goes', async () => {
  const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
  await t.run({ nodeId }, collectionNodeId)
  await t.setContent(nodeId, ' ')
  t.sent()
  expect(await t.run({ nodeId }, collectionNodeId)).toEqual({ model: 'sidelinja/embed', dimensions: null, texts: 0, embedded: 0 })
  expect(await t.rows(nodeId)).toEqual([])
  expect(t.sent()).toEqual([])
})

test('many texts go over in batches, and come back each with its own vector', async () => {
  const sections = Array.from(
    { length: 70 },
    (_, n) => `# ${n}\n\nAvsnitt nummer ${n} handler om vei nummer ${n} og bro nummer ${n} i kommunen.\n`,
  )
  const { collectionNodeId, nodeId } = await t.arrange(sections.join('\n'), settings)
  await t.run({ nodeId }, collectionNodeId)
  expect(t.sent().map((texts) => texts.length)).toEqual([32, 32, 6])
  const rows = await t.rows(nodeId)
  const vectors = await hashedNgrams.embed(rows.map(({ text }) => text))
  for (const [index, row] of rows.entries()) {
    expect(row.seq).toBe(index)
    expect(Math.hypot(...row.embedding)).toBeCloseTo(1, 5)
    const expected = unit(vectors[index])
    expect(row.embedding.every((value, at) => Math.abs(value - (expected[at] ?? 9)) < 1e-6)).toBe(true)
  }
})

test('a node of another collection is not read, and one with too many texts is refused', async () => {
  const { nodeId } = await t.arrange(article())
  const { collectionNodeId: other } = await t.arrange(null)
  await expect(t.run({ nodeId }, other)).rejects.toMatchObject({ code: 'NODE_NOT_IN_COLLECTION' })
  const many = await t.arrange(Array.from({ length: 40_000 }, (_, n) => `Ord nummer ${n}.`).join(' '), settings)
  await expect(t.run({ nodeId: many.nodeId }, many.collectionNodeId)).rejects.toMatchObject({ kind: 'permanent', code: 'TEXT_TOO_LONG' })
})

test('a search stays within its collection, and leaves out what is too far off or not wanted', async () => {
  const ours = await t.arrange(article(), settings)
  const theirs = await t.arrange(article(), settings)
  for (const { collectionNodeId, nodeId } of [ours, theirs]) await t.run({ nodeId }, collectionNodeId)
  const [vector] = await hashedNgrams.embed(['ferja til Steinøya'])
  const search = { vector: unit(vector), model: 'sidelinja/embed' }
  const hits = await searchEmbeddings(t.db, ours.collectionNodeId, search)
  expect(hits.map(({ nodeId }) => nodeId)).toEqual(Array(3).fill(ours.nodeId))
  expect(hits[0]?.text).toContain('Ferja')
  expect(hits.map(({ similarity }) => similarity)).toEqual(hits.map(({ similarity }) => similarity).toSorted((a, b) => b - a))
  expect(await searchEmbeddings(t.db, ours.collectionNodeId, { ...search, leastSimilarity: 0.4 })).toHaveLength(1)
  expect(await searchEmbeddings(t.db, ours.collectionNodeId, { ...search, exceptNodeId: ours.nodeId })).toEqual([])
  expect(await searchEmbeddings(t.db, ours.collectionNodeId, { ...search, model: 'en annen' })).toEqual([])
  expect(await readEmbeddingMode(t.db)).toMatchObject({ mode: 'array', version: null, indexed: [] })
})

function unit(vector: readonly number[] | undefined): Float32Array {
  const length = Math.hypot(...(vector ?? []))
  return Float32Array.from(vector ?? [], (value) => value / length)
}
