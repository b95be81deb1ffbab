import { insertNode } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { note, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

describe('the database enqueues it', () => {
  beforeEach(() => t.pool.query('delete from job_queue'))

  test('when a node with enough text is tied to a collection, later, and once however often it changes', async () => {
    const collectionNodeId = await t.collection()
    const nodeId = await t.add(collectionNodeId, { kind: 'note', content: note })
    const job = { collection_node_id: collectionNodeId, node_id: nodeId, priority: 1, later: true }
    expect(await t.jobs()).toEqual([job])
    await t.pool.query('update nodes set content = content || $2 where id = $1', [nodeId, ' Mer kommer.'])
    expect(await t.jobs()).toEqual([job])
  })

  test('when a text has become long enough, and not when something else of the node changes', async () => {
    const collectionNodeId = await t.collection()
    const nodeId = await t.add(collectionNodeId, { kind: 'note', content: 'Kort.' })
    await t.pool.query(`update nodes set title = 'Ny' where id = $1`, [nodeId])
    expect(await t.jobs()).toEqual([])
    await t.pool.query('update nodes set content = $2 where id = $1', [nodeId, note])
    expect(await t.jobs()).toHaveLength(1)
    await t.pool.query('delete from job_queue')
    await t.pool.query(`update nodes set title = 'Nyere' where id = $1`, [nodeId])
    expect(await t.jobs()).toEqual([])
  })

  test('not for topics, nor by other bounds than the collection has, nor for edges between nodes', async () => {
    const off = await t.collection({ suggestEdges: { enabled: false } })
    const strict = await t.collection({ suggestEdges: { minCharacters: 5_000 } })
    const easy = await t.collection({ suggestEdges: { minCharacters: 5 } })
    await t.add(off, { kind: 'note', content: note })
    await t.add(strict, { kind: 'note', content: note })
    await t.add(easy, { kind: 'topic', title: 'Emne', content: note })
    const [a, b] = [await t.add(easy, { kind: 'note', content: 'Kort nok.' }), await t.add(easy, { kind: 'note', content: 'x' })]
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'related')`, [a, b])
    expect(await t.jobs()).toMatchObject([{ node_id: a }])
  })

  test('not for what only those may read who may read what it was made of', async () => {
    const collectionNodeId = await t.collection()
    const { id } = await insertNode(t.db, { kind: 'note', content: note })
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'has_note')`, [collectionNodeId, id])
    await t.pool.query(`update nodes set content = content || ' Mer.' where id = $1`, [id])
    expect(await t.jobs()).toEqual([])
  })

  test('never at the cost of what was written', async () => {
    const collectionNodeId = await t.collection()
    await t.pool.query('alter table job_queue rename to job_queue_away')
    try {
      const nodeId = await t.add(collectionNodeId, { kind: 'note', content: note })
      expect((await t.pool.query('select from edges where target_id = $1', [nodeId])).rowCount).toBe(1)
    } finally {
      await t.pool.query('alter table job_queue_away rename to job_queue')
    }
  })

  test('until it is switched off, and again when it is on', async () => {
    const collectionNodeId = await t.collection()
    await t.pool.query('select suggest_edges_off()')
    await t.add(collectionNodeId, { kind: 'note', content: note })
    expect(await t.jobs()).toEqual([])
    await t.pool.query('select suggest_edges_on()')
    await t.add(collectionNodeId, { kind: 'note', content: note })
    expect(await t.jobs()).toHaveLength(1)
  })

  test('for each of thousands in one statement, once, and for none whose text is the same', async () => {
    const collectionNodeId = await t.collection()
    const count = async () => (await t.jobs()).length
    await addMany(collectionNodeId, 2_000)
    expect(await count()).toBe(2_000)
    await t.pool.query('delete from job_queue')
    await t.pool.query(
      `update nodes set content = content || case when title::integer % 2 = 0 then ' Mer.' else '' end where title ~ '^\\d+$'`,
    )
    expect(await count()).toBe(1_000)
    await t.pool.query(`update nodes set content = content || ' Mer.' where title ~ '^\\d+$'`)
    expect(await count()).toBe(2_000)
  })

  test('and to change thousands takes not much longer than to add them, also in a session that has changed single ones before', async () => {
    const adding = performance.now()
    await addMany(await t.collection(), 5_000)
    const addedMs = performance.now() - adding
    const client = await t.pool.connect()
    try {
      for (const title of [1, 2, 3]) await client.query(`update nodes set content = content || ' Først.' where title = '${title}'`)
      await t.pool.query('delete from job_queue')
      const changing = performance.now()
      await client.query(`update nodes set content = content || ' Mer.' where title ~ '^\\d+$'`)
      expect((performance.now() - changing) / addedMs).toBeLessThan(4)
    } finally {
      client.release(true)
    }
  }, 60_000)

  test('once for five hundred changes in one transaction', async () => {
    const collectionNodeId = await t.collection()
    const nodeId = await t.add(collectionNodeId, { kind: 'note', content: note })
    await t.pool.query(`do $$ begin for i in 1..500 loop update nodes set content = content || i where id = '${nodeId}'; end loop; end $$`)
    expect(await t.jobs()).toHaveLength(1)
  })

  test.each([
    '[]',
    '{"jobs": []}',
    '{"jobs": {"suggestEdges": 7}}',
    '{"jobs": {"suggestEdges": {"enabled": "kanskje", "minCharacters": "mange"}}}',
    '{"jobs": {"suggestEdges": {"minCharacters": -1}}}',
    '{"jobs": {"suggestEdges": {"minCharacters": 99999999999999999999}}}',
    'null',
  ])('also where settings are malformed, which the job says: %s', async (metadata) => {
    const collectionNodeId = await t.collection()
    await t.pool.query('update nodes set metadata = $2 where id = $1', [collectionNodeId, metadata])
    await t.add(collectionNodeId, { kind: 'note', content: note })
    expect(await t.jobs()).toMatchObject([{ collection_node_id: collectionNodeId }])
  })

  test('for none of a collection that goes in the same transaction', async () => {
    const collectionNodeId = await t.collection()
    const { id } = await insertNode(t.db, { kind: 'note', content: note })
    const client = await t.pool.connect()
    await client.query('begin')
    await client.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [collectionNodeId, id])
    await client.query('delete from nodes where id = $1', [collectionNodeId])
    await client.query('commit')
    client.release()
    expect(await t.jobs()).toEqual([])
  })
})

/** In one statement; their titles are numbers. */
async function addMany(collectionNodeId: string, many: number): Promise<void> {
  await t.pool.query(
    `with made as (insert into nodes (kind, title, content) select 'note', i, $3 from generate_series(1, $2::integer) i returning id)
     insert into edges (source_id, target_id, kind) select $1::uuid, id, 'contains' from made`,
    [collectionNodeId, many, note],
  )
}
