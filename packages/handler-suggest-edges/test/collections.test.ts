import { listNodes, searchEmbeddings, upsertEdgeSuggestions } from '@sidelinja/jobs-kit/storage'
import { hashedNgrams } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { note, type Sent, setup } from './support.ts'

// A text that has a model suggest an edge to another collection is not to get there by it.

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const evidence = 'Bompengene på fastlandsveien til Steinøya øker fra nyttår'

/** A collection with another one in it, which has members of its own. */
async function arrange() {
  const outer = await t.collection()
  const inner = await t.collection()
  await t.pool.query(`update nodes set title = 'Bompenger' where id = $1`, [inner])
  await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [outer, inner])
  await t.embed(outer, inner, note)
  return { outer, inner, nodeId: await t.add(outer, { kind: 'note', content: note }) }
}

test('another collection is no candidate, and no edge to it is stored', async () => {
  const { outer, inner, nodeId } = await arrange()
  let sent: Sent | undefined
  t.answer((data) => {
    sent = data
    return { edges: [{ candidate: 'T1', relation: 'about', confidence: 0.9, evidence }], new_topics: [] }
  })
  await t.run(outer, nodeId)
  expect(sent?.candidates).toEqual([])
  const suggestions = [{ targetId: inner, relation: 'about', confidence: 1, evidence }]
  expect(await upsertEdgeSuggestions(t.db, outer, { nodeId, jobId: crypto.randomUUID(), model: 'm', suggestions })).toBe(0)
  const other = await t.add(outer, { kind: 'note', content: note })
  const from = { jobId: crypto.randomUUID(), model: 'm', suggestions: [{ ...suggestions[0], targetId: other, relation: 'about' }] }
  expect(await upsertEdgeSuggestions(t.db, outer, { nodeId: inner, ...from } as never)).toBe(0)
})

test.each(['suggested', 'rejected'])(
  'an edge to a collection that is %s ties nothing to it: neither read, found nor enqueued',
  async (status) => {
    const { outer, inner, nodeId } = await arrange()
    await t.embed(inner, nodeId, note)
    await t.pool.query('delete from job_queue')
    await t.pool.query(`insert into edges (source_id, target_id, kind, status) values ($1, $2, 'about', $3)`, [nodeId, inner, status])
    await t.pool.query(`update nodes set content = content || ' Mer.' where id = $1`, [nodeId])
    expect((await t.jobs()).map(({ collection_node_id }) => collection_node_id)).toEqual([outer])
    expect(await listNodes(t.db, inner, [nodeId])).toEqual([])
    const [vector = []] = await hashedNgrams.embed([note])
    expect(await searchEmbeddings(t.db, inner, { vector: Float32Array.from(vector), model: 'sidelinja/embed' })).toEqual([])
    await expect(t.run(inner, nodeId)).rejects.toMatchObject({ code: 'NODE_NOT_IN_COLLECTION' })

    await t.pool.query('update edges set status = null where source_id = $1', [nodeId])
    expect(await listNodes(t.db, inner, [nodeId])).toHaveLength(1)
    expect(await searchEmbeddings(t.db, inner, { vector: Float32Array.from(vector), model: 'sidelinja/embed' })).toHaveLength(1)
  },
)
