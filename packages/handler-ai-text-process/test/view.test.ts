import { createTestDatabase, insertNode, runResultView, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Payload, Result } from '../src/job.ts'
import { aiTextProcessView } from '../src/view.ts'

const told: Result = { text: 'Ren tekst.', note: null, node: null, parts: 1, uncertain: [], dropped: 0, cut: 0 }
let database: TestDatabase
let [collectionNodeId, other] = ['', '']

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  ;[collectionNodeId, other] = [(await insertNode(database.db)).id, (await insertNode(database.db)).id]
  await database.query(`update nodes set content = 'Teksten i noden.' where id = $1`, [collectionNodeId])
})
afterAll(() => database.drop())

const show = (change: Partial<Result> = {}, payload: Payload = { mode: 'rens', text: 'x' }, collection = collectionNodeId) =>
  runResultView(aiTextProcessView, { db: database.db, collectionNodeId: collection, payload, result: { ...told, ...change } })
const inNode = (): Payload => ({ mode: 'skriv_om', nodeId: collectionNodeId, replace: true })

test('the text is shown under what was done with it', async () => {
  expect(await show()).toEqual([{ kind: 'text', title: expect.objectContaining({ nb: 'Renset tekst' }), text: 'Ren tekst.' }])
})

test('what to look at first is listed, and that there is more of it', async () => {
  const uncertain = [{ kind: 'lost_number', text: '42' } as const, { kind: 'more', text: '17' } as const]
  expect((await show({ uncertain }))[1]).toMatchObject({ kind: 'list', more: true, items: [{ text: '42', mark: { tone: 'warn' } }] })
})

test('a text that stands in the node is read from there, in the job’s collection alone', async () => {
  const replaced = { text: null, node: 'replaced' } as const
  expect(await show(replaced, inNode())).toMatchObject([
    { kind: 'note', tone: 'neutral' },
    { kind: 'text', text: 'Teksten i noden.' },
  ])
  expect(await show(replaced, inNode(), other)).toMatchObject([{ kind: 'note' }])
  expect(await show({ node: 'changed_meanwhile' }, inNode())).toMatchObject([{ tone: 'warn' }, { text: 'Ren tekst.' }])
})

test('an empty node says so, and a result of another shape has nothing to draw', async () => {
  expect(await show({ text: '', note: 'no text' })).toMatchObject([
    { kind: 'note', text: { en: 'The node is empty, so nobody was asked.' } },
  ])
  expect(await show({ node: 'elsewhere' as never })).toEqual([])
})
