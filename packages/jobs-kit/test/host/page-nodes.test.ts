import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { insertEdge, lockPageNode, type PageNode, pageNodeId, type StorageDatabase, upsertPageNode } from '../../src/storage/index.ts'

let database: TestDatabase
let collection: string
let id: string
let pages = 0
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  collection = (await insertNode(database.db)).id
})
afterAll(() => database.drop())

function page(change: Partial<PageNode> & { obstacle?: string | null } = {}): PageNode {
  const { obstacle = null, ...rest } = change
  return { id, kind: 'clip', title: 'Kai', content: 'Kaia er ny.', clip: { obstacle, summary: rest.title ?? 'Kai' }, ...rest }
}

async function store(node: PageNode, db: StorageDatabase = database.db) {
  await lockPageNode(db, collection, node.id)
  const outcome = await upsertPageNode(db, collection, node)
  if (outcome !== 'foreign') await insertEdge(db, collection, { nodeId: node.id, kind: 'contains' })
  return outcome
}

async function stored() {
  const { rows } = await database.pool.query(`select title, content, metadata from nodes where id = $1`, [id])
  return rows[0]
}

const next = () => {
  id = pageNodeId(collection, `avisa.example/${pages++}`)
}

describe('the node of a page', () => {
  test('is one for a collection and a page', () => {
    expect(pageNodeId(collection, 'a/b')).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(pageNodeId(collection.toUpperCase(), 'a/b')).toBe(pageNodeId(collection, 'a/b'))
    expect(new Set([pageNodeId(collection, 'a/b'), pageNodeId(collection, 'a/B'), pageNodeId(id ?? '', 'a/b')]).size).toBe(3)
  })

  test('is made, and then replaced beside what the host has put there', async () => {
    next()
    expect(await store(page())).toBe('stored')
    await database.pool.query(`update nodes set metadata = metadata || '{"tags": []}' where id = $1`, [id])
    expect(await store(page({ title: 'Kaia' }))).toBe('stored')
    expect(await stored()).toMatchObject({ title: 'Kaia', metadata: { tags: [], clip: { summary: 'Kaia' } } })
    expect((await database.pool.query('select from edges where target_id = $1', [id])).rowCount).toBe(1)
  })

  test.each(['title', 'content'])('whose %s somebody has edited keeps both, again and again, and gets the rest', async (column) => {
    next()
    await store(page())
    await database.pool.query(`update nodes set ${column} = 'Mitt' where id = $1`, [id])
    for (const title of ['To', 'Tre']) {
      expect(await store(page({ title }))).toBe('edited')
      expect(await stored()).toMatchObject({
        ...{ title: 'Kai', content: 'Kaia er ny.' },
        [column]: 'Mitt',
        metadata: { clip: { summary: title } },
      })
    }
  })

  test('that was read is not lost to what stands in its way later; the other way round it is replaced', async () => {
    next()
    expect(await store(page({ title: 'Borte', content: '', obstacle: 'not_found' }))).toBe('stored')
    expect(await store(page({ title: 'Mur', content: '', obstacle: 'paywall' }))).toBe('stored')
    expect(await store(page())).toBe('stored')
    const before = await stored()
    expect(await store(page({ title: 'Borte', content: '', obstacle: 'not_found' }))).toBe('kept')
    expect(await stored()).toEqual(before)
  })

  test('never takes the place of one that is not the collection’s, nor of one of another kind', async () => {
    next()
    await database.pool.query(`insert into nodes (id, kind, title) values ($1, 'clip', 'En annens')`, [id])
    for (const obstacle of [null, 'paywall']) expect(await store(page({ obstacle }))).toBe('foreign')
    await database.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collection, id])
    await database.pool.query(`update nodes set kind = 'note' where id = $1`, [id])
    expect(await store(page())).toBe('foreign')
    expect(await stored()).toEqual({ title: 'En annens', content: null, metadata: {} })
  })

  test('is one when two jobs make it at the same moment', async () => {
    next()
    const first = Promise.withResolvers<void>()
    const held = database.db.transaction().execute(async (trx) => {
      const outcome = await store(page({ title: 'Først' }), trx)
      first.resolve()
      // The other one waits for us, as the database sees it.
      const waits = `select from pg_locks where locktype = 'advisory' and not granted`
      while ((await database.pool.query(waits)).rowCount === 0) await database.pool.query('select pg_sleep(0.02)')
      return outcome
    })
    await first.promise
    const other = database.db.transaction().execute((trx) => store(page({ title: 'Så' }), trx))
    expect(await Promise.all([held, other])).toEqual(['stored', 'stored'])
    expect(await stored()).toMatchObject({ title: 'Så' })
    expect((await database.pool.query('select from edges where target_id = $1', [id])).rowCount).toBe(1)
  })
})
