import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createServices } from '../src/index.ts'
import { decideProfile, listProfiles, type StorageDatabase, upsertProfileDraft } from '../src/storage/index.ts'
import { logInAsWorker } from './support/log-in-as-worker.ts'

// As a member of queue_worker and one of queue_web, under row-level security.

const [editor, reader, stranger] = [randomUUID(), randomUUID(), randomUUID()]
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

/** A collection with an editor, a reader, and a programme of which there is a draft. */
async function arrange() {
  const [mine, programme] = [(await insertNode(database.db)).id, (await insertNode(database.db, { kind: 'programme' })).id]
  await database.pool.query(`insert into node_access values ($1, $3, 'editor'), ($2, $3, 'reader')`, [editor, reader, mine])
  await database.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [mine, programme])
  await store(mine, programme)
  return { mine, programme, profileId: (await listProfiles(worker.db, mine, { state: 'draft' }))[0]?.id ?? '' }
}
/** As the queue runs a job's `write`. */
const writeFor = <Written>(collection: string, write: (trx: Transaction<unknown>) => Promise<Written>) =>
  worker.db.transaction().execute(async (trx) => {
    await sql`select set_config('jobs.collection', ${collection}, true)`.execute(trx)
    return await write(trx)
  })
const store = (collection: string, programmeNodeId: string, jobOf = collection, label: unknown = 'Syntetisk profil.') =>
  writeFor(jobOf, (trx) =>
    upsertProfileDraft(trx, collection, {
      programmeNodeId,
      party: 'B',
      jobId: null,
      content: { label: label as string, stances: [] },
      language: 'nb',
      model: 'm',
      promptVersion: 'p/1',
    }),
  )
const asUser = <Result>(user: string, act: (db: StorageDatabase) => Promise<Result>) =>
  web.transaction().execute(async (trx) => {
    await sql`select set_config('app.user_id', ${user}, true)`.execute(trx)
    return await act(trx)
  })
const seenBy = (user: string, mine: string) =>
  asUser(user, async (db) => {
    const states = ['draft', 'published', 'rejected'] as const
    const lists = await Promise.all(states.map((state) => listProfiles(db, mine, { state })))
    return lists.flat().map(({ state }) => state)
  })
const publish = (user: string, mine: string, profileId: string) =>
  asUser(user, async (db) => {
    const [draft] = await listProfiles(worker.db, mine, { state: 'draft' })
    await decideProfile(db, mine, { profileId, decision: 'publish', fingerprint: draft?.fingerprint ?? '', decidedBy: 'somebody else' })
  })

describe('a profile', () => {
  test('is a draft for those who may decide, and for all others when they have', async () => {
    const { mine, profileId } = await arrange()
    expect([await seenBy(editor, mine), await seenBy(reader, mine), await seenBy(stranger, mine)]).toEqual([['draft'], [], []])
    await expect(publish(reader, mine, profileId)).rejects.toMatchObject({ code: 'PROFILE_FORBIDDEN' })
    await expect(publish(stranger, mine, profileId)).rejects.toMatchObject({ code: 'PROFILE_NOT_FOUND' })
    await publish(editor, mine, profileId)
    expect([await seenBy(editor, mine), await seenBy(reader, mine), await seenBy(stranger, mine)]).toEqual([
      ['published'],
      ['published'],
      [],
    ])
    // Whom the transaction names, not whom the caller names.
    expect(await listProfiles(worker.db, mine, { state: 'published' })).toMatchObject([{ decidedBy: editor }])
  })

  test('is published as a person has seen it: without what a job suggested after that person had edited it', async () => {
    const { mine, programme, profileId } = await arrange()
    await database.pool.query(`update valgomat_profiles set content = '{"label": "Rettet", "stances": []}' where id = $1`, [profileId])
    expect(await store(mine, programme)).toEqual({ id: profileId, stored: 'suggested' })
    const suggestionsSeenBy = (user: string, state: 'draft' | 'published') =>
      asUser(user, async (db) => (await listProfiles(db, mine, { state })).map(({ suggestion }) => suggestion))
    expect([await suggestionsSeenBy(editor, 'draft'), await suggestionsSeenBy(reader, 'draft')]).toEqual([
      [{ label: 'Syntetisk profil.', stances: [] }],
      [],
    ])
    await publish(editor, mine, profileId)
    const { rows } = await asUser(reader, (db) =>
      sql`select content, suggestion, suggested_md5 from valgomat_profiles`.execute(db as Kysely<unknown>),
    )
    expect(rows.at(-1)).toEqual({ content: { label: 'Rettet', stances: [] }, suggestion: null, suggested_md5: null })
    expect(await suggestionsSeenBy(reader, 'published')).toEqual([null])
    await expect(database.pool.query(`update valgomat_profiles set suggestion = '{}' where id = $1`, [profileId])).rejects.toMatchObject({
      constraint: 'valgomat_profiles_published_as_seen',
    })
  })

  test('whose suggestion somebody takes over is replaced by the next job again', async () => {
    const { mine, programme, profileId } = await arrange()
    const set = (columns: string) => database.pool.query(`update valgomat_profiles set ${columns} where id = $1`, [profileId])
    await set(`content = '{"label": "Rettet"}'`)
    await store(mine, programme)
    await set('content = suggestion, suggestion = null')
    expect(await store(mine, programme)).toEqual({ id: profileId, stored: 'draft' })
  })

  test.each([undefined, null, '', ' \n', 7])('is not published with the label %j', async (label) => {
    const { mine, programme, profileId } = await arrange()
    await store(mine, programme, mine, label === undefined ? undefined : label)
    if (label === undefined)
      await database.pool.query(`update valgomat_profiles set content = content - 'label' where id = $1`, [profileId])
    await expect(publish(editor, mine, profileId)).rejects.toMatchObject({ code: 'PROFILE_LABEL_MISSING' })
    expect(await seenBy(reader, mine)).toEqual([])
  })

  test("is stored for no programme that is gone or is not the collection's (any more)", async () => {
    const { mine, programme } = await arrange()
    await database.pool.query('delete from edges where source_id = $1', [mine])
    for (const each of [programme, randomUUID()])
      await expect(store(mine, each)).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
  })

  test('is published by no worker: neither by the function nor by its own hand', async () => {
    const { mine, programme, profileId } = await arrange()
    const decision = { profileId, decision: 'publish', fingerprint: '', decidedBy: 'a machine' } as const
    await expect(writeFor(mine, (trx) => decideProfile(trx, mine, decision))).rejects.toMatchObject({ code: '42501' })
    const set = sql`update valgomat_profiles set state = 'published', decided_by = 'x', decided_at = now() where collection_node_id = ${mine}`
    await expect(writeFor(mine, (trx) => set.execute(trx))).rejects.toMatchObject({ code: '42501' })
    const add = sql`insert into valgomat_profiles (collection_node_id, programme_node_id, party, state, content, written_md5, model, prompt_version, decided_by, decided_at)
      values (${mine}, ${programme}, 'B', 'published', '{}', '', 'm', 'p', 'x', now())`
    await expect(writeFor(mine, (trx) => add.execute(trx))).rejects.toMatchObject({ code: '42501' })

    await publish(editor, mine, profileId)
    const change = sql`update valgomat_profiles set party = 'X' where collection_node_id = ${mine} and state = 'published'`
    expect((await writeFor(mine, (trx) => change.execute(trx))).numAffectedRows).toBe(0n)
    expect((await store(mine, programme)).id).not.toBe(profileId)
  })

  test("is the job's own collection's, and the users' of it write none", async () => {
    const [{ mine, programme }, { id: other }] = [await arrange(), await insertNode(database.db)]
    await database.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [other, programme])
    await expect(store(other, programme, mine)).rejects.toMatchObject({ code: 'JQ001' })
    const change = sql`update valgomat_profiles set party = 'X'`
    await expect(asUser(editor, (db) => change.execute(db as Kysely<unknown>))).rejects.toMatchObject({ code: '42501' })
    expect(await listProfiles(worker.db, mine, { state: 'draft' })).toMatchObject([{ party: 'B' }])
  })

  test('that two people decide about at once is decided once', async () => {
    const { mine, profileId } = await arrange()
    const outcomes = await Promise.allSettled([publish(editor, mine, profileId), publish(editor, mine, profileId)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'PROFILE_DECIDED' } })
  })
})

test('a decision that there is not is an error', async () => {
  const { mine, profileId } = await arrange()
  const decision = { profileId, decision: 'shred' as 'reject', fingerprint: '', decidedBy: 'kari' }
  await expect(decideProfile(database.db, mine, decision)).rejects.toThrow('publish, reject or withdraw')
})

test('statements are those of the collection, by content or else by title, in the order of their making', async () => {
  const { collections } = createServices({ db: worker.db })
  const [{ id: mine }, { id: other }] = [await insertNode(database.db), await insertNode(database.db)]
  const add = async (collection: string, columns: object) => {
    const { id } = await insertNode(database.db, { kind: 'statement', ...columns })
    await database.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collection, id])
    return id
  }
  const first = await add(mine, { title: 'Tittel', content: ' Innhold. ' })
  const second = await add(mine, { title: 'Bare tittel' })
  await add(mine, { title: ' ', content: null })
  await add(mine, { kind: 'note', content: 'Et notat.' })
  const foreign = await add(other, { title: 'Andres' })
  expect(await collections.listStatements(mine)).toEqual([
    { id: first, text: 'Innhold.' },
    { id: second, text: 'Bare tittel' },
  ])
  expect(await collections.listStatements(mine, [second.toUpperCase()])).toEqual([{ id: second, text: 'Bare tittel' }])
  await expect(collections.listStatements(mine, [second, foreign])).rejects.toMatchObject({ code: 'NODE_NOT_IN_COLLECTION' })
})
