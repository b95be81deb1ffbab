import { createTestDatabase, insertNode, runResultView, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { insertEdge, upsertOwnNode } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Clip } from '../src/job.ts'
import { researchClipView } from '../src/view.ts'

const jobId = '01900000-0000-7000-8000-0000000000b1'
const nodeId = '01900000-0000-7000-8000-0000000000c1'
const clip: Clip = {
  ...{ summary: 'Ferja er borte.', keyClaims: [{ claim: 'Ruta ble lagt ned.', quote: 'lagt ned i mars' }], sourceType: 'news' },
  ...{ sourceUrl: 'https://avis.example.org/a', language: 'nb', leftOut: 2, jobId, model: 'reasoning', promptVersion: '1' },
}
let database: TestDatabase
let [collectionNodeId, other] = ['', '']

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  ;[collectionNodeId, other] = [(await insertNode(database.db)).id, (await insertNode(database.db)).id]
  const node = { id: nodeId, kind: 'research', title: 'Ferja', content: 'Ruta ble lagt ned i mars.', metadata: { clip } }
  await upsertOwnNode(database.db, collectionNodeId, node)
  await insertEdge(database.db, collectionNodeId, { nodeId, kind: 'contains' })
})
afterAll(() => database.drop())

const show = (options: { collectionNodeId?: string; jobId?: string; result?: object } = {}) =>
  runResultView(researchClipView, {
    db: database.db,
    collectionNodeId,
    jobId,
    payload: { text: 'x' },
    result: { nodeId },
    ...(options as object),
  })

test('a clip is shown as it stands in its node, each claim with its quote', async () => {
  expect(await show()).toMatchObject([
    { kind: 'text', title: 'Ferja', text: 'Ferja er borte.' },
    { kind: 'list', items: [{ text: 'Ruta ble lagt ned.', quotes: [{ text: 'lagt ned i mars' }] }] },
    { kind: 'facts', rows: [{ value: 'https://avis.example.org/a' }, { value: { en: 'news' } }, { value: 2 }, { value: 'reasoning' }] },
    { kind: 'text', text: 'Ruta ble lagt ned i mars.' },
  ])
})

test('a node of another collection, or that is gone, is not shown, and that is said', async () => {
  for (const options of [{ collectionNodeId: other }, { result: { nodeId: jobId } }]) {
    expect(await show(options)).toMatchObject([{ kind: 'note', tone: 'neutral' }])
  }
})

test('a result without a node has nothing to draw', async () => {
  expect(await show({ result: { keyClaims: 1 } })).toEqual([])
})

test('what the host has put in place of the clip is not taken for one', async () => {
  await database.query(`update nodes set metadata = '{"clip": "mine"}' where id = $1`, [nodeId])
  expect(await show()).toMatchObject([{ kind: 'text', text: 'Ruta ble lagt ned i mars.' }])
})
