import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createServices } from '../../src/index.ts'
import { insertEdge, ownNodeId, readNodeInCollection, replaceContent, upsertOwnNode } from '../../src/storage/index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())

const join = (source: string, target: string) =>
  database.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [source, target])

/** Two collections, and nodes tied to the first in both directions, to the second, and to none. */
async function arrange() {
  const [mine, other] = [(await insertNode(database.db)).id, (await insertNode(database.db)).id]
  const node = async () => (await insertNode(database.db, { kind: 'note', content: 'gammelt' })).id
  const [below, above, foreign, loose] = [await node(), await node(), await node(), await node()]
  await Promise.all([join(mine, below), join(above, mine), join(other, foreign)])
  return { mine, other, below, above, foreign, loose }
}

describe('a node of a collection', () => {
  test('is its own, and whichever an edge ties to it', async () => {
    const { mine, below, above, foreign, loose } = await arrange()
    const read = async (id: string) => (await readNodeInCollection(database.db, mine, id))?.id
    expect(await Promise.all([mine, below, above].map(read))).toEqual([mine, below, above])
    expect(await Promise.all([foreign, loose, randomUUID()].map(read))).toEqual([undefined, undefined, undefined])
    const { collections } = createServices({ db: database.db })
    expect(await collections.readNode(mine, below)).toMatchObject({ id: below, content: 'gammelt' })
    await expect(collections.readNode(mine, foreign)).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
  })

  test('takes another content where it still has the one that was read', async () => {
    const { mine, below, foreign } = await arrange()
    const replace = (id: string, before: string) => replaceContent(database.db, mine, id, { before, after: 'nytt' })
    expect(await replace(below, 'noe annet')).toBe(false)
    expect(await replace(foreign, 'gammelt')).toBe(false)
    expect(await replace(below, 'gammelt')).toBe(true)
    expect(await readNodeInCollection(database.db, mine, below)).toMatchObject({ content: 'nytt' })
  })

  test('keeps what a transaction beside ours has just put there', async () => {
    const { mine, below } = await arrange()
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query('update nodes set content = $1 where id = $2', ['imens', below])
      const replacing = replaceContent(database.db, mine, below, { before: 'gammelt', after: 'nytt' })
      await client.query('commit')
      expect(await replacing).toBe(false)
    } finally {
      client.release()
    }
    expect(await readNodeInCollection(database.db, mine, below)).toMatchObject({ content: 'imens' })
  })
})

describe("a job's own node", () => {
  const own = (id: string, title = 'Et klipp') => ({ id, kind: 'research', title, content: 'tekst', metadata: { clip: { title } } })

  test('is made once, tied once, and then replaced', async () => {
    const { mine } = await arrange()
    const id = ownNodeId(randomUUID())
    for (const title of ['Først', 'Så']) {
      expect(await upsertOwnNode(database.db, mine, own(id, title))).toBe(true)
      await insertEdge(database.db, mine, { nodeId: id, kind: 'contains' })
      await database.pool.query(`update nodes set metadata = metadata || '{"tags": []}' where id = $1`, [id])
    }
    expect(await readNodeInCollection(database.db, mine, id)).toMatchObject({ title: 'Så', metadata: { clip: { title: 'Så' }, tags: [] } })
    expect((await database.pool.query('select from edges where target_id = $1', [id])).rowCount).toBe(1)
  })

  test('never takes the place of a node that is not the collection’s, nor of one of another kind', async () => {
    const { mine, below, foreign, loose } = await arrange()
    await database.pool.query(`update nodes set kind = 'research' where id in ($1, $2)`, [foreign, loose])
    for (const id of [below, foreign, loose, mine]) expect(await upsertOwnNode(database.db, mine, own(id))).toBe(false)
  })

  test('has an id of its job, a UUID', () => {
    const job = randomUUID()
    expect(ownNodeId(job)).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(ownNodeId(job.toUpperCase())).toBe(ownNodeId(job))
    expect(ownNodeId(randomUUID())).not.toBe(ownNodeId(job))
  })
})
