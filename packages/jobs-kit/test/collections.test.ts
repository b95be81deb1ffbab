import { randomUUID } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createServices } from '../src/index.ts'
import { readDatabaseTime, readNode } from '../src/storage/index.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())

async function insertCollection(metadata: unknown): Promise<string> {
  const id = randomUUID()
  await database.pool.query(`insert into nodes (id, kind, title, metadata) values ($1, 'collection', 'Redaksjonen', $2)`, [
    id,
    JSON.stringify(metadata),
  ])
  return id
}

const readSettings = (id: string) => createServices({ db: database.db }).collections.readSettings(id)

test.each([{}, { jobs: null }, { jobs: {} }, { other: 1 }, [], 'text', null])('metadata %j means all defaults', async (metadata) => {
  expect(await readSettings(await insertCollection(metadata))).toMatchObject({ language: 'nb', timeZone: 'Europe/Oslo' })
})

test('settings are read anew each time', async () => {
  const id = await insertCollection({ jobs: { timeZone: 'Asia/Tokyo' } })
  expect((await readSettings(id)).timeZone).toBe('Asia/Tokyo')
  await database.pool.query(`update nodes set metadata = '{"jobs": {"language": "nn"}}' where id = $1`, [id])
  expect(await readSettings(id)).toMatchObject({ timeZone: 'Europe/Oslo', language: 'nn' })
})

test('a wrong key is a permanent error that names it', async () => {
  const id = await insertCollection({ jobs: { timezone: 'Asia/Tokyo' } })
  await expect(readSettings(id)).rejects.toMatchObject({
    code: 'COLLECTION_SETTINGS_INVALID',
    kind: 'permanent',
    message: expect.stringContaining('unknown key "timezone", did you mean "timeZone"?'),
  })
})

test('a collection that is gone is a permanent error', async () => {
  const id = randomUUID()
  await expect(readSettings(id)).rejects.toMatchObject({
    code: 'COLLECTION_MISSING',
    kind: 'permanent',
    message: expect.stringContaining(id),
  })
  expect(await readNode(database.db, id)).toBeUndefined()
})

test("the node of a collection, inside the caller's transaction", async () => {
  await database.db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('nodes')
      .values({ kind: 'collection', title: 'Ny', content: null, metadata: '{"a": 1}' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await readNode(trx, id)).toEqual({ id, kind: 'collection', title: 'Ny', content: null, metadata: { a: 1 } })
    expect(await readNode(database.db, id)).toBeUndefined()
  })
})

test("now is the database's time, also in the middle of a transaction", async () => {
  const now = await readDatabaseTime(database.db)
  await database.db.transaction().execute(async (trx) => {
    const [first, second] = [await readDatabaseTime(trx), await readDatabaseTime(trx)]
    expect(first.getTime()).toBeGreaterThanOrEqual(now.getTime())
    expect(second.getTime()).toBeGreaterThanOrEqual(first.getTime())
  })
  expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000)
})
