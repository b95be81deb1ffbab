import { enqueue } from '@sidelinja/jobs-core'
import { clearQueue, drain } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { generateEmbeddings } from '../../src/job.ts'
import { article, setup } from '../support.ts'

// A33: a gateway answers a call for three texts with their vectors in another order, with too few, too many, or one twice. A vector beside the wrong text would never be noticed.

const settings = { embeddings: { chunkTokens: 50 } }
let body = ''
let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'), { answerEmbeddings: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body }) })
})
afterAll(() => t.drop())
beforeEach(() => clearQueue(t))

const shuffled = [
  { object: 'embedding', index: 2, embedding: [0, 0, 1, 0] },
  { object: 'embedding', index: 0, embedding: [1, 0, 0, 0] },
  { object: 'embedding', index: 1, embedding: [0, 1, 0, 0] },
]
const reply = (data: unknown) => JSON.stringify({ object: 'list', model: 'e', data, usage: { total_tokens: 9 } })
const first = (embedding: unknown) => reply(shuffled.with(0, { ...shuffled[0], embedding } as never))
/** JSON has words for neither, and Python writes them all the same. */
const raw = (number: string) => reply(shuffled).replace('[0,0,1,0]', `[0,0,${number},0]`)

test('each text gets its own vector, by its index', async () => {
  const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
  body = reply(shuffled)
  await enqueue(t.db, generateEmbeddings, { nodeId }, { collectionNodeId })
  expect(await drain(t, [t.handler])).toMatchObject([{ outcome: 'completed' }])
  const rows = await t.rows(nodeId)
  expect(rows.map(({ text, embedding }) => [text.split('\n')[0], embedding])).toEqual([
    ['# ferry', [1, 0, 0, 0]],
    ['# school', [0, 1, 0, 0]],
    ['# budget', [0, 0, 1, 0]],
  ])
})

describe('refused whole, and nothing is stored, of a reply', () => {
  test.each<[string, string, string]>([
    ['with two vectors', reply(shuffled.slice(1)), 'EMBEDDINGS_INVALID'],
    ['with four vectors', reply([...shuffled, { index: 3, embedding: [1, 0, 0, 0] }]), 'EMBEDDINGS_INVALID'],
    ['with none', reply([]), 'EMBEDDINGS_INVALID'],
    ['with no list', reply(undefined), 'EMBEDDINGS_INVALID'],
    ['with one index twice', reply(shuffled.with(0, { object: 'embedding', index: 0, embedding: [0, 0, 1, 0] })), 'EMBEDDINGS_INVALID'],
    ['with an index of none', reply(shuffled.with(0, { object: 'embedding', index: 7, embedding: [0, 0, 1, 0] })), 'EMBEDDINGS_INVALID'],
    ['with an index below 0', reply(shuffled.with(0, { object: 'embedding', index: -1, embedding: [0, 0, 1, 0] })), 'EMBEDDINGS_INVALID'],
    ['with an index between two', reply(shuffled.with(0, { object: 'embedding', index: 1.5, embedding: [0, 0, 1, 0] })), 'REPLY_FAILED'],
    ['where one has no index', reply([{ embedding: [0, 0, 1, 0] }, ...shuffled.slice(1)]), 'EMBEDDINGS_INVALID'],
    ['with a vector of another length', first([0, 0, 1]), 'EMBEDDINGS_INVALID'],
    ['with a vector of no length', first([]), 'EMBEDDINGS_INVALID'],
    ['with a vector of zeros', first([0, 0, 0, 0]), 'EMBEDDINGS_INVALID'],
    ['with null among the numbers', first([0, null, 1, 0]), 'REPLY_FAILED'],
    ['with words among the numbers', first([0, '1', 1, 0]), 'REPLY_FAILED'],
    ['with a number beyond all', raw('1e999'), 'REPLY_FAILED'],
    ['with a number too large to be measured', raw('1e200'), 'EMBEDDINGS_INVALID'],
    ['with NaN', raw('NaN'), 'UPSTREAM_BODY_INVALID'],
    ['with Infinity', raw('Infinity'), 'UPSTREAM_BODY_INVALID'],
    ['with base64 of half a number', first('AAAAAAA='), 'EMBEDDINGS_INVALID'],
    ['with base64 of an odd length', first('AAAAA'), 'EMBEDDINGS_INVALID'],
    ['with base64 of NaN', first(Buffer.from(Float32Array.from([0, Number.NaN, 1, 0]).buffer).toString('base64')), 'EMBEDDINGS_INVALID'],
    ['with something else than base64', first('vektor!'), 'EMBEDDINGS_INVALID'],
    ['that ends in the middle', reply(shuffled).slice(0, 80), 'UPSTREAM_BODY_INVALID'],
  ])('%s', async (_what, answered, code) => {
    const { collectionNodeId, nodeId } = await t.arrange(article(), settings)
    body = answered
    await enqueue(t.db, generateEmbeddings, { nodeId }, { collectionNodeId, maxAttempts: 2 })
    expect(await drain(t, [t.handler])).toMatchObject([{ outcome: 'retry', error: { code } }])
    expect(await t.rows(nodeId)).toEqual([])
    // What was wrong was no step: it is asked anew.
    body = reply(shuffled)
    expect(await drain(t, [t.handler], { withScheduled: true })).toMatchObject([{ outcome: 'completed' }])
    expect(await t.rows(nodeId)).toHaveLength(3)
  })

  test('of other dimensions than the collection wants, for good', async () => {
    const { collectionNodeId, nodeId } = await t.arrange(article(), { embeddings: { chunkTokens: 50, dimensions: 1_024 } })
    body = reply(shuffled)
    await expect(t.run({ nodeId }, collectionNodeId)).rejects.toMatchObject({ kind: 'permanent', code: 'EMBEDDING_DIMENSIONS' })
    expect(await t.rows(nodeId)).toEqual([])
  })
})
