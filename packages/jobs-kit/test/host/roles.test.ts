import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  insertEdge,
  lockPageNode,
  ownNodeId,
  pageNodeId,
  readNodeInCollection,
  replaceContent,
  upsertOwnNode,
  upsertPageNode,
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

const own = (id: string) => ({ id, kind: 'research', title: 'Et klipp', content: 'tekst', metadata: {} })
/** As the queue runs a job's `write`. */
const writeFor = <Written>(collection: string, write: (trx: Transaction<unknown>) => Promise<Written>) =>
  worker.db.transaction().execute(async (trx) => {
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
  expect(await readNodeInCollection(worker.db, mine, id)).toMatchObject({ content: 'nyere' })
})

test('a worker makes and replaces the node of a page', async () => {
  const [{ id: mine }, { id: other }] = [await insertNode(database.db), await insertNode(database.db)]
  const id = pageNodeId(mine, 'avisa.example/sak')
  const store = (title: string, obstacle: string | null) =>
    writeFor(mine, async (trx) => {
      await lockPageNode(trx, mine, id)
      const outcome = await upsertPageNode(trx, mine, { id, kind: 'clip', title, content: 'tekst', clip: { obstacle } })
      await insertEdge(trx, mine, { nodeId: id, kind: 'contains' })
      return outcome
    })
  expect([await store('Først', null), await store('Så', null), await store('Mur', 'paywall')]).toEqual(['stored', 'stored', 'kept'])
  expect(await readNodeInCollection(worker.db, mine, id)).toMatchObject({ title: 'Så' })
  const node = { id: pageNodeId(other, 'avisa.example/sak'), kind: 'clip', title: 'x', content: 'x', clip: { obstacle: null } }
  await writeFor(other, async (trx) => {
    await upsertPageNode(trx, other, node)
    await insertEdge(trx, other, { nodeId: node.id, kind: 'contains' })
  })
  expect(await writeFor(mine, (trx) => upsertPageNode(trx, mine, node))).toBe('foreign')
  await expect(writeFor(mine, (trx) => upsertPageNode(trx, other, node))).rejects.toMatchObject({ code: 'JQ001' })
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
