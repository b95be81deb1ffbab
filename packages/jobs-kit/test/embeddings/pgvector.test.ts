import { readFile } from 'node:fs/promises'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { checkServices, cosine, createHandlers, createServices, type HandlerPackage, type Services } from '@sidelinja/jobs-kit'
import { readEmbeddingMode, replaceEmbeddings, searchEmbeddings } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupedVectors, startPgvector } from './support.ts'

const model = 'sidelinja/embed'
const dimensions = 384
/** Enough for the planner to take the index. */
const count = 800
let t: Awaited<ReturnType<typeof startPgvector>>
let [ours, theirs, ourNode] = ['', '', '']
const vectors = groupedVectors(count, dimensions)

beforeAll(async () => {
  t = await startPgvector()
  ;[ours, theirs] = [(await insertNode(t.db)).id, (await insertNode(t.db)).id]
  ourNode = (await insertNode(t.db, { kind: 'note' })).id
  // One text in ten is ours: an index that knows no collections must read past those of others.
  for (const [collectionNodeId, isOurs] of [
    [ours, true],
    [theirs, false],
  ] as const) {
    const texts = vectors.flatMap((vector, index) => ((index % 10 === 0) === isOurs ? [textOf(vector, index)] : []))
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, ourNode])
    await t.db.transaction().execute((trx) => replaceEmbeddings(trx, collectionNodeId, ourNode, { jobId: null, model, texts }))
  }
}, 60_000)
afterAll(() => t.stop())

test('where the extension is, migrating makes its indexes', async () => {
  expect(await readEmbeddingMode(t.db)).toMatchObject({ mode: 'pgvector', available: true, indexed: [384, 512, 768, 1024, 1536, 3072] })
  expect(await statements()).toEqual([])
})

test('without the extension vectors are compared one by one; with it, made later, an index finds the same', async () => {
  await t.pool.query('drop extension vector cascade')
  expect(await readEmbeddingMode(t.db)).toEqual({ mode: 'array', version: null, available: true, indexed: [] })
  expect(await statements()).toEqual([])
  const query = { vector: vectors[11] as Float32Array, model, limit: 10 }
  const exact = await searchEmbeddings(t.db, ours, query)
  expect(exact.map(({ seq }) => seq)).toEqual(nearestOfOurs(query.vector).slice(0, 10))

  // As docs/operations.md tells it.
  const told = /<!-- tested: pgvector later -->\n```sql\n(.*?);.*\n(.*)\\gexec\n/.exec(
    await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8'),
  )
  const [, createExtension = '', tellStatements = ''] = told ?? []
  await t.pool.query(createExtension)
  // Right also before there is an index.
  expect((await searchEmbeddings(t.db, ours, query)).map(({ seq }) => seq)).toEqual(exact.map(({ seq }) => seq))
  const made = (await t.pool.query<{ statement: string }>(tellStatements)).rows.map(({ statement }) => statement)
  expect(made).toHaveLength(6)
  // As psql's \\gexec does.
  for (const statement of made) await t.pool.query(statement)
  expect(await statements()).toEqual([])
  expect(await readEmbeddingMode(t.db)).toMatchObject({
    mode: 'pgvector',
    version: expect.any(String),
    indexed: [384, 512, 768, 1024, 1536, 3072],
  })

  await t.pool.query('analyze node_embeddings')
  const found = await searchEmbeddings(t.db, ours, query)
  expect(found.map(({ nodeId }) => nodeId)).toEqual(Array(10).fill(ourNode))
  for (const [index, { similarity }] of found.entries()) expect(similarity).toBeCloseTo(exact[index]?.similarity ?? 0, 4)
})

test('the index is what is read, on past the texts of other collections, until there are enough', async () => {
  // Else the planner may find eighty rows as quick to compare.
  await t.pool.query('set enable_sort = off')
  const before = await indexReads()
  let shared = 0
  for (let index = 1; index <= 20; index++) {
    const vector = vectors[index] as Float32Array
    const hits = await searchEmbeddings(t.db, ours, { vector, model, limit: 10 })
    expect(hits).toHaveLength(10)
    const best = new Set(nearestOfOurs(vector).slice(0, 10))
    shared += hits.filter(({ seq }) => best.has(seq)).length
  }
  await t.pool.query('reset enable_sort')
  expect((await indexReads()) - before).toBe(20)
  expect(shared / 200).toBeGreaterThan(0.9)
})

test('a worker tells how vectors are searched when it starts', async () => {
  const services = createServices({ db: t.db })
  createHandlers(
    [{ definition: { type: 'find' }, createHandler: (taken: Services) => taken.embeddings } as unknown as HandlerPackage],
    services,
  )
  expect(await checkServices(services)).toEqual([
    expect.stringMatching(/^Vectors are searched by pgvector \d.*384, 512, 768, 1024, 1536, 3072 numbers; others by comparing/),
  ])
})

async function statements(): Promise<string[]> {
  return (await t.pool.query<{ statement: string }>('select statement from embedding_index_statements()')).rows.map(
    ({ statement }) => statement,
  )
}

async function indexReads(): Promise<number> {
  await t.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await t.pool.query<{ reads: number }>(
    `select idx_scan::integer as reads from pg_stat_user_indexes where indexrelname = 'node_embeddings_hnsw_384'`,
  )
  return rows[0]?.reads ?? 0
}

function textOf(vector: Float32Array, index: number) {
  return { hash: index.toString(16).padStart(64, '0'), text: `Tekst ${index}`, startMs: null, endMs: null, vector }
}

/** By their places, the nearest first. */
function nearestOfOurs(vector: Float32Array): number[] {
  const own = vectors.filter((_, index) => index % 10 === 0)
  return own
    .map((other, seq) => ({ seq, similarity: cosine(vector, other) }))
    .toSorted((a, b) => b.similarity - a.similarity)
    .map(({ seq }) => seq)
}
