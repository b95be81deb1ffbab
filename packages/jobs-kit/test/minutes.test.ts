import { randomUUID } from 'node:crypto'
import { createTestDatabase, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readMinutes, upsertMinutes } from '../src/storage/index.ts'
import { logInAsWorker } from './support/log-in-as-worker.ts'

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

const minutes = (summary: string) => ({ jobId: null, content: { summary }, language: 'nb', model: 'm', promptVersion: 'p/1' })
const node = async () => (await insertNode(database.db)).id
const tie = (collection: string, meeting: string) =>
  database.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collection, meeting])
/** A meeting of one or more collections. */
const meetingOf = async (...collections: string[]) => {
  const meeting = await node()
  for (const collection of collections) await tie(collection, meeting)
  return meeting
}
/** As the queue runs a job's `write`. */
const write = (jobOf: string, collection: string, meeting: string, summary: string) =>
  worker.db.transaction().execute(async (trx) => {
    await sql`select set_config('jobs.collection', ${jobOf}, true)`.execute(trx)
    return await upsertMinutes(trx, collection, meeting, minutes(summary))
  })

test('minutes are replaced until somebody has edited them; each collection has its own', async () => {
  const [mine, other] = [await node(), await node()]
  const meeting = await meetingOf(mine, other)
  expect(await write(mine, mine, meeting, 'først')).toBe('stored')
  expect(await write(other, other, meeting, 'andres')).toBe('stored')
  expect(await write(mine, mine, meeting, 'så')).toBe('stored')
  await database.pool.query(`update meeting_minutes set content = '{"summary": "rettet"}' where collection_node_id = $1`, [mine])
  for (const summary of ['nyere', 'nyest']) expect(await write(mine, mine, meeting, summary)).toBe('suggested')
  expect(await readMinutes(worker.db, mine, meeting)).toMatchObject({ content: { summary: 'rettet' }, suggestion: { summary: 'nyest' } })
  expect(await readMinutes(worker.db, other, meeting)).toMatchObject({ content: { summary: 'andres' }, suggestion: null })
})

test.each([
  ['clears it', 'null'],
  ['leaves it', 'suggestion'],
])('whoever takes the suggestion over and %s has the minutes replaced again; whoever takes the edit back, too', async (_, after) => {
  const mine = await node()
  const meeting = await meetingOf(mine)
  const set = (columns: string) => database.pool.query(`update meeting_minutes set ${columns} where media_node_id = $1`, [meeting])
  await write(mine, mine, meeting, 'først')
  await set(`content = '{"summary": "rettet"}'`)
  await write(mine, mine, meeting, 'forslag')
  await set(`content = suggestion, suggestion = ${after}`)
  expect(await write(mine, mine, meeting, 'nytt')).toBe('stored')
  expect(await readMinutes(worker.db, mine, meeting)).toMatchObject({ content: { summary: 'nytt' }, suggestion: null })

  await set(`content = '{"summary": "rettet"}'`)
  await write(mine, mine, meeting, 'forslag')
  await set(`content = '{"summary": "nytt"}'`)
  expect(await write(mine, mine, meeting, 'sist')).toBe('stored')
})

test("none are written of a meeting that is not the collection's (any more), nor of one that only says whose it is", async () => {
  const [mine, other] = [await node(), await node()]
  const meeting = await meetingOf(mine, other)
  await write(mine, mine, meeting, 'først')
  const left = { kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' }
  await database.pool.query(`update edges set kind = 'has_summary' where source_id = $1`, [mine])
  await expect(write(mine, mine, meeting, 'så')).rejects.toMatchObject(left)
  await database.pool.query('delete from edges where source_id = $1', [mine])
  await expect(write(mine, mine, meeting, 'så')).rejects.toMatchObject(left)
  expect(await readMinutes(worker.db, mine, meeting)).toMatchObject({ content: { summary: 'først' } })
})

test("a worker writes none of another's, nor of a meeting that is gone", async () => {
  const [mine, other] = [await node(), await node()]
  const meeting = await meetingOf(mine, other)
  await expect(write(mine, other, meeting, 'x')).rejects.toMatchObject({ code: 'JQ001' })
  await expect(write(mine, mine, randomUUID(), 'x')).rejects.toMatchObject({ kind: 'permanent', code: 'MEDIA_NODE_MISSING' })
})
