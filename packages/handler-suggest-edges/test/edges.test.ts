import { insertNode } from '@sidelinja/jobs-core/testing'
import { acceptEdgeSuggestion, listEdgeSuggestions, rejectEdgeSuggestion } from '@sidelinja/jobs-kit/storage'
import { injections } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { note, type Sent, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())
beforeEach(() => t.answer(undefined))

const evidence = 'Bompengene på fastlandsveien til Steinøya øker fra nyttår'
const refOf = ({ candidates }: Sent, name: string) => candidates.find((candidate) => candidate.name === name)?.ref ?? '?'
const edgeTo = (sent: Sent, name: string, more: object = {}) => ({
  candidate: refOf(sent, name),
  relation: 'about',
  confidence: 0.8,
  evidence,
  ...more,
})

/** A collection with a topic that the text names, a node near it, and one far off. */
async function arrange() {
  const collectionNodeId = await t.collection()
  const nodeId = await t.add(collectionNodeId, { kind: 'note', title: 'Bompenger og ferje', content: note })
  const topic = await t.add(collectionNodeId, { kind: 'topic', title: 'Bompenger' })
  const near = await t.add(collectionNodeId, { kind: 'note', title: 'Ferja', content: 'Ferja.' })
  await t.embed(collectionNodeId, near, 'Ferja til Steinøya blir gratis, mener ordfører Kari Nes')
  return { collectionNodeId, nodeId, topic, near }
}

test('candidates are what is near and what is named, numbered and without ids; edges are stored as suggestions with their evidence', async () => {
  const { collectionNodeId, nodeId, topic, near } = await arrange()
  const others = await t.collection()
  await t.embed(others, await t.add(others, { kind: 'note', title: 'En annens' }), note)
  let sent: Sent | undefined
  t.answer((data) => {
    sent = data
    return { edges: [edgeTo(data, 'Bompenger'), edgeTo(data, 'Ferja', { relation: 'related', confidence: 0.6 })], new_topics: [] }
  })
  expect(await t.run(collectionNodeId, nodeId)).toEqual({
    note: null,
    candidates: 2,
    suggested: 2,
    added: 2,
    newTopics: [],
    dropped: 0,
    unread: 0,
  })
  expect(sent?.candidates).toEqual([
    { ref: 'T1', name: 'Bompenger', kind: 'topic', excerpt: '' },
    { ref: 'T2', name: 'Ferja', kind: 'note', excerpt: expect.stringContaining('gratis') },
  ])
  const bodies = t.gateway.requests.map(({ body }) => body).join()
  for (const id of [collectionNodeId, nodeId, topic, near]) expect(bodies).not.toContain(id)
  expect(await t.edges(nodeId)).toMatchObject([
    {
      target_id: topic,
      kind: 'about',
      status: 'suggested',
      metadata: { suggestion: { confidence: 0.8, evidence, model: 'sidelinja/rutine' } },
    },
    { target_id: near, kind: 'related', status: 'suggested' },
  ])
})

test('what the text does not bear out, names nothing there is, or is unsure is left out and counted; each edge once', async () => {
  const { collectionNodeId, nodeId, topic } = await arrange()
  t.answer((data) => ({
    edges: [
      edgeTo(data, 'Bompenger', { confidence: 0.6 }),
      edgeTo(data, 'Bompenger', { confidence: 0.9 }),
      edgeTo(data, 'Ferja', { evidence: 'Ferja blir gratis fra i morgen' }),
      edgeTo(data, 'Ferja', { confidence: 0.2 }),
      edgeTo(data, 'Ferja', { evidence: 'i mars' }),
      edgeTo(data, 'Ferja', { candidate: 'T9' }),
      edgeTo(data, 'Ferja', { candidate: nodeId.slice(0, 20) }),
    ],
    new_topics: [
      { name: 'Pendling', description: 'Folk som pendler. https://utenfra.example', evidence: 'mange lærere pendler' },
      { name: 'bompenger', description: 'Finnes.', evidence },
      { name: 'Romfart', description: 'Ikke her.', evidence: 'raketten tok av' },
    ],
  }))
  expect(await t.run(collectionNodeId, nodeId)).toMatchObject({
    ...{ suggested: 1, added: 1, dropped: 8 },
    newTopics: [{ name: 'Pendling', description: expect.not.stringContaining('utenfra'), evidence: 'mange lærere pendler' }],
  })
  expect(await t.edges(nodeId)).toMatchObject([{ target_id: topic, metadata: { suggestion: { confidence: 0.9 } } }])
})

test('a second run leaves no doubles, and touches neither what was decided nor what was there', async () => {
  const { collectionNodeId, nodeId, topic, near } = await arrange()
  await t.pool.query(
    `insert into edges (source_id, target_id, kind, status, metadata) values ($1, $2, 'mentions', null, '{"own": true}')`,
    [nodeId, topic],
  )
  const answer = (confidence: number) => (data: Sent) => ({
    edges: [
      edgeTo(data, 'Bompenger', { confidence }),
      edgeTo(data, 'Bompenger', { confidence, relation: 'mentions' }),
      edgeTo(data, 'Ferja', { confidence, relation: 'related' }),
    ],
    new_topics: [],
  })
  t.answer(answer(0.7))
  expect(await t.run(collectionNodeId, nodeId)).toMatchObject({ suggested: 3, added: 2 })
  const waiting = await listEdgeSuggestions(t.db, collectionNodeId, { nodeId })
  expect(waiting.map(({ targetTitle }) => targetTitle).toSorted()).toEqual(['Bompenger', 'Ferja'])
  const idOf = (target: string) => waiting.find(({ targetId }) => targetId === target)?.id ?? ''
  expect(await rejectEdgeSuggestion(t.db, collectionNodeId, idOf(near))).toBe(true)

  t.answer(answer(0.9))
  expect(await t.run(collectionNodeId, nodeId)).toMatchObject({ suggested: 3, added: 0 })
  expect(await t.edges(nodeId)).toMatchObject([
    { target_id: topic, kind: 'about', status: 'suggested', metadata: { suggestion: { confidence: 0.9 } } },
    { target_id: topic, kind: 'mentions', status: null, metadata: { own: true } },
    { target_id: near, kind: 'related', status: 'rejected', metadata: { suggestion: { confidence: 0.7 } } },
  ])
  expect(await acceptEdgeSuggestion(t.db, await t.collection(), idOf(topic))).toBe(false)
  expect(await acceptEdgeSuggestion(t.db, collectionNodeId, idOf(topic))).toBe(true)
  expect(await rejectEdgeSuggestion(t.db, collectionNodeId, idOf(topic))).toBe(false)
  expect(await listEdgeSuggestions(t.db, collectionNodeId)).toEqual([])
})

test('vectors that are stored are not asked for again, but for those of what the node said before', async () => {
  const { collectionNodeId, nodeId } = await arrange()
  const asked = () => t.gateway.requests.filter(({ path }) => path === '/v1/embeddings').length
  const before = asked()
  await t.run(collectionNodeId, nodeId)
  expect(asked()).toBe(before + 1)
  await t.embed(collectionNodeId, nodeId, `Bompenger og ferje\n\n${note}`)
  await t.run(collectionNodeId, nodeId)
  expect(asked()).toBe(before + 1)
  await t.pool.query(`update nodes set content = content || ' Alt er nytt nå.' where id = $1`, [nodeId])
  await t.run(collectionNodeId, nodeId)
  expect(asked()).toBe(before + 2)
})

test('nobody is asked about a short text, nor where the collection has switched it off', async () => {
  const before = t.gateway.requests.length
  const collectionNodeId = await t.collection()
  const short = await t.add(collectionNodeId, { kind: 'note', content: 'Kort.' })
  expect(await t.run(collectionNodeId, short)).toMatchObject({ note: 'short text' })
  const off = await t.collection({ suggestEdges: { enabled: false } })
  expect(await t.run(off, await t.add(off, { kind: 'note', content: note }))).toMatchObject({ note: 'switched off' })
  expect(t.gateway.requests).toHaveLength(before)
})

test.each(injections.slice(0, 12))(
  'a text that gives orders suggests nothing that it does not bear out: $aim ($language)',
  async ({ text: order }) => {
    const { collectionNodeId, nodeId, topic } = await arrange()
    const stranger = await insertNode(t.db, { kind: 'topic', title: 'En annens' })
    await t.pool.query('update nodes set content = $2 where id = $1', [nodeId, `${note}\n${order.replaceAll('\0', '').toWellFormed()}`])
    t.answer((data) => ({
      edges: [
        edgeTo(data, 'Bompenger', { candidate: stranger.id.slice(0, 20) }),
        edgeTo(data, 'Bompenger', { evidence: 'Alle skal kobles til alt.' }),
      ],
      new_topics: [{ name: '[Klikk](https://utenfra.example)', description: '', evidence: 'oppdiktet sitat her' }],
    }))
    expect(await t.run(collectionNodeId, nodeId)).toMatchObject({ suggested: 0, newTopics: [], dropped: 3 })
    expect((await t.edges(nodeId)).filter(({ target_id }) => target_id !== topic)).toEqual([])
  },
)
