import { acceptTopicSuggestion, listTopicSuggestions, rejectTopicSuggestion } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { note, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const topic = (name: string) => ({ name, description: `Om ${name}.`, evidence: 'mange lærere pendler' })
const suggesting =
  (...names: string[]) =>
  () => ({ edges: [], new_topics: names.map(topic) })
const arrange = async () => {
  const collectionNodeId = await t.collection()
  const add = () => t.add(collectionNodeId, { kind: 'note', content: note })
  return { collectionNodeId, first: await add(), second: await add() }
}
const topicsOf = async (collectionNodeId: string) =>
  (
    await t.pool.query(
      `select n.id, n.title, n.content from nodes n join edges e on e.target_id = n.id where e.source_id = $1 and n.kind = 'topic' order by n.title`,
      [collectionNodeId],
    )
  ).rows

test('a topic that two nodes lack waits once; accepted, it is made, and both are about it', async () => {
  const { collectionNodeId, first, second } = await arrange()
  t.answer(suggesting('Pendling', 'Lærerlønn'))
  expect(await t.run(collectionNodeId, first)).toMatchObject({ newTopics: [topic('Pendling'), topic('Lærerlønn')] })
  await t.run(collectionNodeId, first)
  t.answer(suggesting('PENDLING'))
  await t.run(collectionNodeId, second)
  expect(await listTopicSuggestions(t.db, collectionNodeId)).toEqual([
    {
      name: 'Pendling',
      description: 'Om Pendling.',
      nodes: [first, second].map((nodeId) => ({ nodeId, evidence: 'mange lærere pendler' })),
    },
    { name: 'Lærerlønn', description: 'Om Lærerlønn.', nodes: [{ nodeId: first, evidence: 'mange lærere pendler' }] },
  ])
  const id = await acceptTopicSuggestion(t.db, collectionNodeId, ' pendling ', { decidedBy: 'kari' })
  expect(await topicsOf(collectionNodeId)).toEqual([{ id, title: 'Pendling', content: 'Om Pendling.' }])
  for (const nodeId of [first, second]) {
    expect(await t.edges(nodeId)).toMatchObject([
      {
        target_id: id,
        kind: 'about',
        status: 'accepted',
        metadata: { suggestion: { evidence: 'mange lærere pendler', decidedBy: 'kari' } },
      },
    ])
  }
  expect(await acceptTopicSuggestion(t.db, collectionNodeId, 'Pendling')).toBeUndefined()
  expect(await rejectTopicSuggestion(t.db, collectionNodeId, 'Pendling')).toBe(false)
})

test('one that was rejected is not suggested again, by whichever node', async () => {
  const { collectionNodeId, first, second } = await arrange()
  t.answer(suggesting('Pendling', 'Lærerlønn'))
  await t.run(collectionNodeId, first)
  expect(await rejectTopicSuggestion(t.db, collectionNodeId, 'Pendling')).toBe(true)
  for (const nodeId of [first, second]) {
    expect(await t.run(collectionNodeId, nodeId)).toMatchObject({ newTopics: [topic('Lærerlønn')] })
  }
  expect((await listTopicSuggestions(t.db, collectionNodeId)).map(({ name }) => name)).toEqual(['Lærerlønn'])
  expect(await topicsOf(collectionNodeId)).toEqual([])
})

test('one that somebody has made meanwhile is taken, and a node that has left gets no edge', async () => {
  const { collectionNodeId, first, second } = await arrange()
  t.answer(suggesting('Pendling'))
  for (const nodeId of [first, second]) await t.run(collectionNodeId, nodeId)
  const made = await t.add(collectionNodeId, { kind: 'topic', title: 'pendling' })
  await t.pool.query('delete from edges where source_id = $1 and target_id = $2', [collectionNodeId, second])
  expect(await acceptTopicSuggestion(t.db, collectionNodeId, 'Pendling')).toBe(made)
  expect(await topicsOf(collectionNodeId)).toMatchObject([{ id: made }])
  expect([await t.edges(first), await t.edges(second)]).toMatchObject([[{ target_id: made }], []])
})

test('two people who accept the same at the same time make one topic', async () => {
  const { collectionNodeId, first } = await arrange()
  t.answer(suggesting('Pendling'))
  await t.run(collectionNodeId, first)
  const answers = await Promise.all(Array.from({ length: 5 }, () => acceptTopicSuggestion(t.db, collectionNodeId, 'Pendling')))
  expect(answers.filter((id) => id !== undefined)).toHaveLength(1)
  expect(await topicsOf(collectionNodeId)).toHaveLength(1)
})
