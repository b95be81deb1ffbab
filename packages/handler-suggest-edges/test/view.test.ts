import { runResultView } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { suggestEdgesView } from '../src/view.ts'
import { note, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const show = (result: unknown, collectionNodeId: string = crypto.randomUUID()) =>
  runResultView(suggestEdgesView, { db: t.db, collectionNodeId, payload: { nodeId: crypto.randomUUID() }, result } as never)

test('what a job left is drawn: numbers, and the topics that are missing with their words', async () => {
  const collectionNodeId = await t.collection()
  const nodeId = await t.add(collectionNodeId, { kind: 'note', content: note })
  t.answer(() => ({ edges: [], new_topics: [{ name: 'Pendling', description: '', evidence: 'mange lærere pendler' }] }))
  const result = await t.run(collectionNodeId, nodeId)
  expect(await show(result, collectionNodeId)).toEqual([
    {
      kind: 'facts',
      rows: [
        { label: expect.objectContaining({ nb: 'Forslag til kanter', nn: 'Framlegg til kantar' }), value: 0 },
        { label: expect.anything(), value: 0 },
        { label: expect.objectContaining({ en: 'Nodes to choose from' }), value: 0 },
      ],
    },
    {
      kind: 'list',
      title: expect.objectContaining({ nb: 'Emner som mangler' }),
      items: [{ text: 'Pendling', quotes: [{ text: 'mange lærere pendler' }] }],
    },
  ])
  expect(await show({ ...result, unread: 7 }, collectionNodeId)).toMatchObject([{ kind: 'note', tone: 'warn' }, {}, {}])
})

test('it says why nobody was asked, and shows nothing of another shape', async () => {
  const collectionNodeId = await t.collection()
  const nodeId = await t.add(collectionNodeId, { kind: 'note', content: 'Kort.' })
  expect(await show(await t.run(collectionNodeId, nodeId))).toEqual([
    { kind: 'note', tone: 'neutral', text: expect.objectContaining({ nb: expect.stringContaining('for lite tekst') }) },
  ])
  for (const other of [null, {}, 'x', { note: 'else' }]) expect(await show(other)).toEqual([])
})
