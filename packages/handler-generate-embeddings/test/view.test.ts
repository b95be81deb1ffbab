import { runResultView } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { generateEmbeddingsView } from '../src/view.ts'
import { article, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const show = (result: unknown) =>
  runResultView(generateEmbeddingsView, {
    ...{ db: t.db, collectionNodeId: crypto.randomUUID(), payload: { nodeId: crypto.randomUUID() }, result: result as never },
  })

test('what a job left is drawn: how many texts, and how many were paid for', async () => {
  const { collectionNodeId, nodeId } = await t.arrange(article(), { embeddings: { chunkTokens: 50 } })
  await t.run({ nodeId }, collectionNodeId)
  await t.setContent(nodeId, article({ school: 'Skolen er solgt til en privat eier, opplyser rektor.' }))
  expect(await show(await t.run({ nodeId }, collectionNodeId))).toEqual([
    {
      kind: 'facts',
      rows: [
        { label: expect.objectContaining({ nb: 'Tekster som kan søkes i', nn: 'Tekstar som kan søkjast i' }), value: 3 },
        { label: expect.objectContaining({ en: 'Of them new' }), value: 1 },
        { label: expect.objectContaining({ nb: 'Tall i hver vektor' }), value: 256 },
        { label: expect.objectContaining({ en: 'Model' }), value: 'sidelinja/embed' },
      ],
    },
  ])
})

test('a node without text says so, and what has another shape is not shown', async () => {
  const { collectionNodeId, nodeId } = await t.arrange(' ')
  expect(await show(await t.run({ nodeId }, collectionNodeId))).toEqual([
    { kind: 'note', tone: 'neutral', text: expect.objectContaining({ nb: expect.stringContaining('ingen tekst') }) },
  ])
  for (const other of [null, {}, 'x', { model: 7 }]) expect(await show(other)).toEqual([])
})
