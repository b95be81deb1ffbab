import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { replaceEmbeddings, searchEmbeddings } from '@sidelinja/jobs-kit/storage'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { groupedVectors, startPgvector } from './support.ts'

// The same of both ways of searching: by comparing, on a PostgreSQL without pgvector, and with it.

const model = 'sidelinja/embed'
const vectors = groupedVectors(60, 384)
const of = (values: number[]) => Float32Array.from(values)
const textOf = (vector: Float32Array, index: number) => ({
  ...{ hash: index.toString(16).padStart(64, '0'), text: `Tekst ${index}`, startMs: null, endMs: null, vector },
})

describe.each(['array', 'pgvector'] as const)('a search by %s', (mode) => {
  let t: Pick<TestDatabase, 'pool'> & { db: Kysely<unknown>; stop(): Promise<unknown> }
  let [collection, node] = ['', '']
  beforeAll(async () => {
    if (mode === 'pgvector') t = await startPgvector()
    else {
      const database = await createTestDatabase(inject('server'))
      t = { pool: database.pool, db: database.db as unknown as Kysely<unknown>, stop: () => database.drop() }
    }
    ;[collection, node] = [(await insertNode(t.db)).id, await add()]
    await store(node, model, vectors)
  }, 60_000)
  afterAll(() => t.stop())

  const add = async () => {
    const { id } = await insertNode(t.db, { kind: 'note' })
    if (collection !== '') await tie(id)
    return id
  }
  const tie = (id: string) => t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collection, id])
  const store = (nodeId: string, of: string, given: Float32Array[]) =>
    t.db.transaction().execute((trx) => replaceEmbeddings(trx, collection, nodeId, { jobId: null, model: of, texts: given.map(textOf) }))
  const search = (vector: Float32Array, more: object = {}) => searchEmbeddings(t.db, collection, { vector, model, ...more })

  test('finds nothing of a node before it is tied to the collection, nor after it has left', async () => {
    const [vector = of([])] = vectors
    expect(await search(vector)).toEqual([])
    await tie(node)
    expect((await search(vector))[0]).toMatchObject({ seq: 0, similarity: expect.closeTo(1, 4) })
    await t.pool.query('delete from edges where target_id = $1', [node])
    expect(await search(vector)).toEqual([])
    await tie(node)
  })

  test('gives the cosine, however long the vector is', async () => {
    const [vector = of([])] = vectors
    const seen = (await search(vector, { limit: 5 })).map(({ seq, similarity }) => [seq, similarity.toFixed(4)])
    for (const times of [0.001, 7, 1e30]) {
      const other = await search(
        vector.map((value) => value * times),
        { limit: 5 },
      )
      expect(other.map(({ seq, similarity }) => [seq, similarity.toFixed(4)])).toEqual(seen)
    }
    const above = await search(
      vector.map((value) => value * 9),
      { leastSimilarity: 0.999 },
    )
    expect(above.map(({ seq }) => seq)).toEqual([0])
  })

  test.each([
    ['no numbers', of([])],
    ['zeros', new Float32Array(384)],
    ['NaN', of([Number.NaN, ...Array(383).fill(1)])],
    ['infinity', of([Number.POSITIVE_INFINITY, ...Array(383).fill(1)])],
    ['too many numbers', of(Array(4_097).fill(1))],
  ])('refuses a vector of %s', async (_what, vector) => {
    await expect(search(vector)).rejects.toMatchObject({ code: '22023', message: expect.stringContaining('a vector to search by') })
  })

  test.each([
    [0, 0],
    [-1, 0],
    [Number.NaN, 0],
    [2.9, 2],
    [1_000_000, 60],
    [Number.POSITIVE_INFINITY, 60],
    [undefined, 10],
  ])('gives of 60, with a limit of %s, %i', async (limit, hits) => {
    expect(await search(vectors[0] as Float32Array, { limit })).toHaveLength(hits)
  })

  test('finds of a node of two collections what is stored for the one that is searched', async () => {
    const nodeId = await add()
    const { id: other } = await insertNode(t.db)
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [other, nodeId])
    const texts = [{ ...textOf(of([1, 2, 3]), 0), text: 'De andres' }]
    await t.db.transaction().execute((trx) => replaceEmbeddings(trx, other, nodeId, { jobId: null, model, texts }))
    expect(await search(of([1, 2, 3]))).toEqual([])
    expect(await searchEmbeddings(t.db, other, { vector: of([1, 2, 3]), model })).toMatchObject([{ nodeId, text: 'De andres' }])
  })

  test('mixes neither models nor lengths, whichever an index can hold', async () => {
    for (const dimensions of [2, 2_001, 3_072, 4_001, 4_096]) {
      const nodeId = await add()
      const own = Float32Array.from({ length: dimensions }, (_, n) => (n === 1 ? 1 : 0))
      await store(nodeId, model, [own])
      expect(await search(own), `${dimensions}`).toEqual([
        { nodeId, seq: 0, text: 'Tekst 0', startMs: null, endMs: null, similarity: expect.closeTo(1, 3) },
      ])
      expect(await search(own, { model: 'sidelinja/ny' })).toEqual([])
      expect(await search(own, { exceptNodeId: nodeId })).toEqual([])
    }
    const { rows } = await t.pool.query<{ statement: string }>('select statement from embedding_index_statements()')
    for (const { statement } of rows) await t.pool.query(statement)
    // 2, 3 and 2,001; none for more than 4,000.
    expect(rows).toHaveLength(mode === 'pgvector' ? 3 : 0)
    expect(await search(Float32Array.from({ length: 2_001 }, (_, n) => (n === 1 ? 1 : 0)))).toHaveLength(1)
  })
})
