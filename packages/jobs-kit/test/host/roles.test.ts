import { randomUUID } from 'node:crypto'
import { migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  handlerMigrations,
  handlerRoleMigrations,
  insertEdge,
  ownNodeId,
  readNodeInCollection,
  replaceContent,
  upsertOwnNode,
} from '../../src/storage/index.ts'

// As a member of queue_worker, under row-level security.

const login = `test_${randomUUID().replaceAll('-', '')}`
let database: TestDatabase
let worker: Kysely<unknown>

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  await migrate(database.pool, { sources: [queueMigrations, handlerMigrations, roleMigrations, handlerRoleMigrations] })
  await database.pool.query(`create role ${login} login password 'secret' in role queue_worker`)
  const url = Object.assign(new URL(database.connectionString), { username: login, password: 'secret' })
  worker = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url.toString(), max: 2 }) }) })
})
afterAll(async () => {
  await worker.destroy()
  await database.pool.query(`drop role ${login}`)
  await database.drop()
})

const own = (id: string) => ({ id, kind: 'research', title: 'Et klipp', content: 'tekst', metadata: {} })
/** As the queue runs a job's `write`. */
const writeFor = <Written>(collection: string, write: (trx: Transaction<unknown>) => Promise<Written>) =>
  worker.transaction().execute(async (trx) => {
    await sql`select set_config('jobs.collection', ${collection}, true)`.execute(trx)
    return await write(trx)
  })

test('a worker makes, replaces and ties nodes of the job’s collection', async () => {
  const { id: mine } = await insertNode(database.db)
  const id = ownNodeId(randomUUID())
  for (const content of ['tekst', 'nytt']) {
    await writeFor(mine, async (trx) => {
      expect(await upsertOwnNode(trx, mine, { ...own(id), content })).toBe(true)
      await insertEdge(trx, mine, { nodeId: id, kind: 'contains' })
    })
  }
  expect(await writeFor(mine, (trx) => replaceContent(trx, mine, id, { before: 'nytt', after: 'nyere' }))).toBe(true)
  expect(await readNodeInCollection(worker, mine, id)).toMatchObject({ content: 'nyere' })
})

test("and none of another's, whatever it says that the collection is", async () => {
  const [{ id: mine }, { id: other }] = [await insertNode(database.db), await insertNode(database.db)]
  const id = ownNodeId(randomUUID())
  await writeFor(other, async (trx) => {
    await upsertOwnNode(trx, other, own(id))
    await insertEdge(trx, other, { nodeId: id, kind: 'contains' })
  })
  await expect(writeFor(mine, (trx) => insertEdge(trx, other, { nodeId: id, kind: 'mentions' }))).rejects.toMatchObject({ code: 'JQ001' })
  await expect(writeFor(mine, (trx) => upsertOwnNode(trx, other, own(id)))).rejects.toMatchObject({ code: 'JQ001' })
  const replacing = writeFor(mine, (trx) => replaceContent(trx, other, id, { before: 'tekst', after: 'x' }))
  await expect(replacing).rejects.toMatchObject({ code: 'JQ001' })
})
