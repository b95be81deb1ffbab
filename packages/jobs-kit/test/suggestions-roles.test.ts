import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  acceptEdgeSuggestion,
  acceptTopicSuggestion,
  decideModeration,
  listModerations,
  listTopicSuggestions,
  rejectEdgeSuggestion,
  rejectTopicSuggestion,
  replaceEmbeddings,
  type StorageDatabase,
  searchEmbeddings,
  upsertEdgeSuggestions,
  upsertModerations,
  upsertTopicSuggestions,
} from '../src/storage/index.ts'
import { logInAsWorker } from './support/log-in-as-worker.ts'

// As a member of queue_worker and one of queue_web, under row-level security.

const [editor, reader, stranger] = [randomUUID(), randomUUID(), randomUUID()]
const vector = Float32Array.from([0.6, 0.8])
const model = 'sidelinja/embed'
let database: TestDatabase
let worker: Awaited<ReturnType<typeof logInAsWorker>>
let web: Kysely<unknown>
const webLogin = `test_${randomUUID().replaceAll('-', '')}`
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  worker = await logInAsWorker(database)
  await database.query(`create role ${webLogin} login password 'secret' in role queue_web`)
  const connectionString = Object.assign(new URL(database.connectionString), { username: webLogin, password: 'secret' }).toString()
  web = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 2 }) }) })
})
afterAll(async () => {
  await Promise.all([web.destroy(), worker.close()])
  await database.query(`drop role ${webLogin}`)
  await database.drop()
})

/** As the queue runs a job's `write`. */
const writeFor = <Written>(collection: string, write: (trx: Transaction<unknown>) => Promise<Written>) =>
  worker.db.transaction().execute(async (trx) => {
    await sql`select set_config('jobs.collection', ${collection}, true)`.execute(trx)
    return await write(trx)
  })
const asUser = <Result>(user: string, act: (db: StorageDatabase) => Promise<Result>) =>
  web.transaction().execute(async (trx) => {
    await sql`select set_config('app.user_id', ${user}, true)`.execute(trx)
    return await act(trx)
  })
const edgesOf = async (nodeId: string) =>
  (await database.pool.query('select id, target_id, status, metadata from edges where source_id = $1 order by kind', [nodeId])).rows

/** A collection with an editor and a reader; what a worker writes about a node of it. */
async function arrange() {
  const [mine, nodeId, target] = [
    (await insertNode(database.db)).id,
    (await insertNode(database.db, { kind: 'note' })).id,
    (await insertNode(database.db, { kind: 'topic', title: 'Ferja' })).id,
  ]
  await database.pool.query(`insert into node_access values ($1, $3, 'editor'), ($2, $3, 'reader')`, [editor, reader, mine])
  await database.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains'), ($1, $3, 'contains')`, [
    mine,
    nodeId,
    target,
  ])
  const from = { nodeId, jobId: randomUUID(), model }
  const evidence = 'ord som står der'
  await writeFor(mine, async (trx) => {
    const texts = [{ hash: 'a'.repeat(64), text: 'Ferja', startMs: null, endMs: null, vector }]
    await replaceEmbeddings(trx, mine, nodeId, { jobId: null, model, texts })
    await upsertEdgeSuggestions(trx, mine, { ...from, suggestions: [{ targetId: target, relation: 'about', confidence: 1, evidence }] })
    await upsertTopicSuggestions(trx, mine, { ...from, topics: [{ name: 'Pendling', description: '', evidence }] })
  })
  return { mine, nodeId, target, edgeId: (await edgesOf(nodeId))[0]?.id as string }
}
let here: Awaited<ReturnType<typeof arrange>>
beforeEach(async () => {
  here = await arrange()
})

test('a search finds what the user may see, and nothing else; a worker finds all of the collection it names', async () => {
  const hits = (user: string) => asUser(user, (db) => searchEmbeddings(db, here.mine, { vector, model }))
  expect((await hits(editor)).map(({ nodeId }) => nodeId)).toEqual([here.nodeId])
  expect((await hits(reader)).map(({ nodeId }) => nodeId)).toEqual([here.nodeId])
  expect(await hits(stranger)).toEqual([])
  expect(await searchEmbeddings(web, here.mine, { vector, model })).toEqual([])
  expect(await searchEmbeddings(worker.db, here.mine, { vector, model })).toHaveLength(1)
  await database.pool.query('delete from edges where source_id = $1', [here.mine])
  expect([await hits(editor), await searchEmbeddings(worker.db, here.mine, { vector, model })]).toEqual([[], []])
})

describe('a suggested edge', () => {
  test('is decided by an editor of its collection, who is named; not by a reader, a stranger, nobody or a worker', async () => {
    const { mine, edgeId, nodeId } = here
    const accept = (user: string, collection = mine) =>
      asUser(user, (db) => acceptEdgeSuggestion(db, collection, edgeId, { decidedBy: 'somebody else' }))
    await expect(accept(reader)).rejects.toMatchObject({ kind: 'queue', code: 'SUGGESTION_FORBIDDEN' })
    expect(await accept(stranger)).toBe(false)
    expect(await acceptEdgeSuggestion(web, mine, edgeId)).toBe(false)
    await expect(writeFor(mine, (trx) => acceptEdgeSuggestion(trx, mine, edgeId))).rejects.toMatchObject({ code: '42501' })
    // An editor of another collection, in whose name this edge is asked for.
    const other = await arrange()
    expect(await accept(editor, other.mine)).toBe(false)
    expect(await edgesOf(nodeId)).toMatchObject([{ status: 'suggested' }])
    expect(await accept(editor)).toBe(true)
    expect(await edgesOf(nodeId)).toMatchObject([
      { status: 'accepted', metadata: { suggestion: { decidedBy: editor, evidence: 'ord som står der', confidence: 1 } } },
    ])
    expect(await asUser(editor, (db) => rejectEdgeSuggestion(db, mine, edgeId))).toBe(false)
  })

  test('accepted and rejected by many at the same time becomes one of them, once', async () => {
    const { mine, edgeId, nodeId } = here
    const decisions = Array.from({ length: 10 }, (_, n) =>
      (n % 2 === 0 ? acceptEdgeSuggestion : rejectEdgeSuggestion)(database.db, mine, edgeId, { decidedBy: `p${n}` }),
    )
    const won = (await Promise.all(decisions)).flatMap((done, n) => (done ? [n] : []))
    expect(won).toHaveLength(1)
    const [n = 0] = won
    expect(await edgesOf(nodeId)).toMatchObject([
      { status: n % 2 === 0 ? 'accepted' : 'rejected', metadata: { suggestion: { decidedBy: `p${n}` } } },
    ])
  })
})

test('a suggested topic is seen by all of its collection, and made by an editor of it alone', async () => {
  const { mine, nodeId } = here
  const seen = (user: string) => asUser(user, (db) => listTopicSuggestions(db, mine))
  expect([await seen(editor), await seen(reader), await seen(stranger)]).toMatchObject([[{ name: 'Pendling' }], [{ name: 'Pendling' }], []])
  const accept = (user: string, collection = mine) => asUser(user, (db) => acceptTopicSuggestion(db, collection, 'pendling'))
  await expect(accept(reader)).rejects.toMatchObject({ code: 'SUGGESTION_FORBIDDEN' })
  expect(await accept(stranger)).toBeUndefined()
  await expect(asUser(reader, (db) => rejectTopicSuggestion(db, mine, 'Pendling'))).rejects.toMatchObject({ code: 'SUGGESTION_FORBIDDEN' })
  const decided = sql`update topic_suggestions set state = 'accepted', decided_at = now() where collection_node_id = ${mine}`
  await expect(writeFor(mine, (trx) => decided.execute(trx))).rejects.toMatchObject({ code: '42501' })
  const id = await accept(editor)
  expect((await edgesOf(nodeId)).find(({ target_id }) => target_id === id)).toMatchObject({
    status: 'accepted',
    metadata: { suggestion: { decidedBy: editor } },
  })
  expect((await database.pool.query('select kind, title from nodes where id = $1', [id])).rows).toEqual([
    { kind: 'topic', title: 'Pendling' },
  ])
})

test('a worker writes no suggestion for another collection than its job’s', async () => {
  const other = await arrange()
  const topics = [{ name: 'Ny', description: '', evidence: 'tre ord her' }]
  await expect(
    writeFor(here.mine, (trx) => upsertTopicSuggestions(trx, other.mine, { nodeId: other.nodeId, jobId: null, model, topics })),
  ).rejects.toMatchObject({ code: 'JQ001' })
})

test('what a worker writes enqueues suggest_edges, for the collection it is tied to', async () => {
  const { mine } = here
  await database.pool.query(`update nodes set kind = 'collection' where id = $1`, [mine])
  await writeFor(mine, async (trx) => {
    const made = sql<{
      id: string
    }>`insert into nodes (kind, title, content) values ('note', 'Ny', ${'Ferja går. '.repeat(30)}) returning id`
    const id = (await made.execute(trx)).rows[0]?.id
    await sql`insert into edges (source_id, target_id, kind) values (${mine}, ${id}, 'contains')`.execute(trx)
  })
  const { rows } = await database.pool.query(`select job_type from job_queue where collection_node_id = $1`, [mine])
  expect(rows).toEqual([{ job_type: 'suggest_edges' }])
})

test('a moderated question is decided by an editor with a name, and seen by nobody else', async () => {
  const { mine, nodeId } = here
  const question = { questionId: nodeId, original: 'Bør ferja gå?', neutralText: null, changes: [], flags: [], verdict: 'ok' as const }
  const place = { clusterOf: nodeId, duplicateOf: null, similarity: null, opposites: [] }
  await writeFor(mine, (trx) =>
    upsertModerations(trx, mine, { jobId: null, model, promptVersion: 'p/1', questions: [{ ...question, ...place }] }),
  )
  const seen = (user: string) => asUser(user, (db) => listModerations(db, mine))
  expect([(await seen(editor)).length, (await seen(reader)).length, (await seen(stranger)).length]).toEqual([1, 0, 0])
  const [{ updatedAt } = { updatedAt: new Date(0) }] = await seen(editor)
  const decision = { questionId: nodeId, decision: 'accepted' as const, seen: updatedAt }
  const decide = (user: string) => asUser(user, (db) => decideModeration(db, mine, decision))
  await expect(decide(reader)).rejects.toMatchObject({ code: 'MODERATION_FORBIDDEN' })
  await expect(decide(stranger)).rejects.toMatchObject({ code: 'MODERATION_NOT_FOUND' })
  await expect(decideModeration(database.db, mine, { ...decision, decidedBy: ' \n' })).rejects.toMatchObject({
    code: 'MODERATION_DECIDER_MISSING',
  })
  await decide(editor)
  expect(await seen(editor)).toMatchObject([{ state: 'accepted', decidedBy: editor, wording: 'Bør ferja gå?' }])
})
