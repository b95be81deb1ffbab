import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  deleteDerivedNodes,
  derivedNodeId,
  insertEdge,
  insertEdgeBetween,
  listMessages,
  readNode,
  readNodeInCollection,
  readSummary,
  replaceContent,
  upsertUneditedNode,
} from '../../src/storage/index.ts'
import { logInAsWorker } from '../support/log-in-as-worker.ts'

// As a member of queue_worker, under row-level security.

let database: TestDatabase
let worker: Awaited<ReturnType<typeof logInAsWorker>>
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  worker = await logInAsWorker(database)
})
afterAll(async () => {
  await worker.close()
  await database.drop()
})

/** As the queue runs a job's `write`. */
const writeFor = <Written>(collection: string, write: (trx: Transaction<unknown>) => Promise<Written>) =>
  worker.db.transaction().execute(async (trx) => {
    await sql`select set_config('jobs.collection', ${collection}, true)`.execute(trx)
    return await write(trx)
  })
const tie = (source: string, target: string, kind = 'contains') =>
  database.pool.query('insert into edges (source_id, target_id, kind) values ($1, $2, $3)', [source, target, kind])
const node = (id: string, content: string) => ({ id, kind: 'summary', title: 'Tittel', content, key: 'summary', about: { of: 'x' } })

/** A collection with a chat, and another one. */
async function arrange() {
  const [mine, other] = [(await insertNode(database.db)).id, (await insertNode(database.db)).id]
  const chat = (await insertNode(database.db, { kind: 'chat' })).id
  await tie(mine, chat)
  return { mine, other, chat, id: derivedNodeId(mine, { kind: 'summary', of: chat }) }
}
const store = (collection: string, id: string, content: string) =>
  writeFor(collection, async (trx) => {
    const stored = await upsertUneditedNode(trx, collection, node(id, content))
    await insertEdge(trx, collection, { nodeId: id, kind: 'has_summary' })
    return stored
  })

test('a derived node has one id for each kind, source and collection', () => {
  const [collection, of] = [randomUUID(), randomUUID()]
  const ids = [collection, randomUUID()].flatMap((each) => ['summary', 'note'].map((kind) => derivedNodeId(each, { kind, of })))
  expect(new Set(ids).size).toBe(4)
  expect(derivedNodeId(collection.toUpperCase(), { kind: 'summary', of: of.toUpperCase() })).toBe(ids[0])
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a node is replaced until somebody edits title or content, then the new ones stand beside it', async () => {
  const { mine, id } = await arrange()
  for (const content of ['først', 'så']) expect(await store(mine, id, content)).toBe('stored')
  await database.pool.query(`update nodes set metadata = metadata || '{"tags": [1]}' where id = $1`, [id])
  expect(await store(mine, id, 'nest sist')).toBe('stored')
  await database.pool.query(`update nodes set title = 'Min' where id = $1`, [id])
  for (const content of ['nytt', 'nyere']) expect(await store(mine, id, content)).toBe('suggested')
  expect(await readNode(worker.db, id)).toMatchObject({
    ...{ title: 'Min', content: 'nest sist' },
    metadata: { tags: [1], summary: { of: 'x', suggestion: { title: 'Tittel', content: 'nyere', of: 'x' } } },
  })
  // Whoever takes the edit back has it replaced again.
  await database.pool.query(`update nodes set title = 'Tittel' where id = $1`, [id])
  expect(await store(mine, id, 'sist')).toBe('stored')
  expect((await readNode(worker.db, id))?.metadata).toEqual({ tags: [1], summary: { of: 'x', written: expect.any(String) } })
})

test('whoever takes the suggestion over has it replaced again', async () => {
  const { mine, id } = await arrange()
  await store(mine, id, 'først')
  await database.pool.query(`update nodes set content = 'rettet' where id = $1`, [id])
  expect(await store(mine, id, 'forslag')).toBe('suggested')
  await database.pool.query(`update nodes set content = 'forslag', metadata = metadata #- '{summary,suggestion}' where id = $1`, [id])
  expect(await store(mine, id, 'nytt')).toBe('stored')
  expect(await readNode(worker.db, id)).toMatchObject({ content: 'nytt', metadata: { summary: { of: 'x' } } })
})

test.each(['has_summary', 'has_note'])(
  'what is the collection’s by %s alone is no source: a job’s result may reach others',
  async (kind) => {
    const { mine } = await arrange()
    const { id } = await insertNode(database.db, { kind: 'chat', content: 'før' })
    const { id: message } = await insertNode(database.db, { kind: 'message', content: 'Hemmelig.' })
    await tie(mine, id, kind)
    await tie(id, message)
    expect(await readNodeInCollection(worker.db, mine, id)).toBeUndefined()
    expect(await writeFor(mine, (trx) => replaceContent(trx, mine, id, { before: 'før', after: 'etter' }))).toBe(false)
    expect(await listMessages(worker.db, mine, { nodeId: id, most: 9 })).toEqual({ messages: [], older: 0 })
    await tie(mine, id)
    expect(await readNodeInCollection(worker.db, mine, id)).toMatchObject({ content: 'før' })
  },
)

test('whoever deletes a node deletes first what jobs made of it, and nothing else', async () => {
  const { mine, other, chat, id } = await arrange()
  await tie(other, chat)
  const theirs = derivedNodeId(other, { kind: 'summary', of: chat })
  const { id: unrelated } = await insertNode(database.db, { kind: 'chat' })
  await tie(mine, unrelated)
  const kept = derivedNodeId(mine, { kind: 'summary', of: unrelated })
  const make = async (collection: string, each: string, of: string) => {
    await store(collection, each, 'tekst')
    await writeFor(collection, (trx) => insertEdgeBetween(trx, collection, { sourceId: each, targetId: of, kind: 'summary' }))
  }
  await make(mine, id, chat)
  await make(other, theirs, chat)
  await make(mine, kept, unrelated)
  // What a person has written about the chat is that person's.
  const { id: byHand } = await insertNode(database.db, { kind: 'summary' })
  await tie(mine, byHand)
  await tie(byHand, chat, 'summary')
  expect(await database.db.transaction().execute((trx) => deleteDerivedNodes(trx, chat))).toBe(2)
  const left = await Promise.all([id, theirs, kept, byHand, chat].map(async (each) => (await readNode(worker.db, each)) !== undefined))
  expect(left).toEqual([false, false, true, true, true])
})

test('never in place of one that was there before, nor of one that is another’s', async () => {
  const { mine, other, id } = await arrange()
  const upsert = (collection: string, each: string) =>
    writeFor(collection, (trx) => upsertUneditedNode(trx, collection, node(each, 'mitt')))
  const { id: before } = await insertNode(database.db, { kind: 'summary', content: 'for hånd' })
  await tie(mine, before)
  expect(await upsert(mine, before)).toBe('suggested')
  expect(await readNode(worker.db, before)).toMatchObject({ content: 'for hånd' })
  await store(mine, id, 'mitt')
  expect(await upsert(other, id)).toBe('foreign')
  await expect(writeFor(other, (trx) => upsertUneditedNode(trx, mine, node(id, 'x')))).rejects.toMatchObject({ code: 'JQ001' })
})

test('an edge joins two nodes of the collection, once, and none that is another’s or gone', async () => {
  const { mine, other, chat, id } = await arrange()
  await store(mine, id, 'mitt')
  const join = (collection: string, sourceId: string, targetId: string) =>
    writeFor(collection, (trx) => insertEdgeBetween(trx, collection, { sourceId, targetId, kind: 'summary' }))
  for (let n = 0; n < 2; n++) expect(await join(mine, id, chat)).toBe(true)
  expect(await join(mine, id, mine)).toBe(true)
  for (const [source, target] of [
    [id, other],
    [other, id],
    [id, randomUUID()],
  ] as const)
    expect(await join(mine, source, target)).toBe(false)
  expect(await join(other, id, chat)).toBe(false)
  const { rows } = await database.pool.query(`select target_id from edges where source_id = $1 and kind = 'summary'`, [id])
  expect(rows.map(({ target_id }) => target_id).toSorted()).toEqual([chat, mine].toSorted())
  expect(await readSummary(worker.db, mine, chat)).toMatchObject({ id, content: 'mitt' })
  expect(await readSummary(worker.db, other, chat)).toBeUndefined()
})

test('messages are the newest in their order, of a chat of the collection only', async () => {
  const { mine, other, chat } = await arrange()
  for (const [n, text] of ['en', 'to', 'tre', ' '].entries()) {
    const { id } = await insertNode(database.db, {
      kind: 'message',
      content: text,
      metadata: JSON.stringify({ author: n === 1 ? 7 : `Nr. ${n}` }),
    })
    await database.pool.query(`update nodes set created_at = now() + $1 * interval '1 s' where id = $2`, [n, id])
    await (n === 0 ? tie(id, chat, 'part_of') : tie(chat, id))
  }
  const list = (collection: string, most: number) => listMessages(worker.db, collection, { nodeId: chat, most })
  expect(await list(mine, 2)).toEqual({
    messages: [
      { text: 'to', author: null },
      { text: 'tre', author: 'Nr. 2' },
    ],
    older: 1,
  })
  expect((await list(mine, 10)).messages.map(({ text }) => text)).toEqual(['en', 'to', 'tre'])
  expect(await list(other, 10)).toEqual({ messages: [], older: 0 })
})
