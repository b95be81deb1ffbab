import { insertNode } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { page } from './samples.ts'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
let collection: string
beforeAll(async () => {
  t = await setup(inject('server'), { suggestions: true })
})
afterAll(() => t.drop())
beforeEach(async () => {
  collection = await t.collection()
})

const wall = page({
  head: '<script type="application/ld+json">{"@type":"NewsArticle","headline":"Skøyte","isAccessibleForFree":false}</script>',
})
const suggested = async () =>
  (
    await t.pool.query(`select payload ->> 'nodeId' as node from job_queue where job_type = 'suggest_edges' and collection_node_id = $1`, [
      collection,
    ])
  ).rows

describe('what a clip is about', () => {
  test('is suggested where the page was read', async () => {
    const { nodeId } = await t.run({ url: t.site.address('/sak') }, collection)
    expect(await suggested()).toEqual([{ node: nodeId }])
  })

  test('is not asked of what stands in its place, but as soon as it can be read', async () => {
    t.site.setPages({ '/mur': wall })
    const { characters, quality, nodeId } = await t.run({ url: t.site.address('/mur') }, collection)
    expect(characters).toBeGreaterThan(200)
    expect([quality, await suggested()]).toEqual(['partial', []])
    t.site.setPages({ '/mur': page({ title: 'Åpnet' }) })
    await t.run({ url: t.site.address('/mur') }, collection)
    await t.pool.query(`update nodes set content = content || ' Mer.' where id = $1`, [nodeId])
    expect(await suggested()).toEqual([{ node: nodeId }])
    t.site.setPages({ '/mur-2': wall })
    const second = await t.run({ url: t.site.address('/mur-2') }, collection)
    await t.pool.query(`update nodes set content = content || ' Mer.' where id = $1`, [second.nodeId])
    expect(await suggested()).toHaveLength(1)
  })
})

describe('a node that a page is a source for', () => {
  const inside = async (of: string) => {
    const { id } = await insertNode(t.db, { kind: 'episode', title: 'Episode 7' })
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [of, id])
    return id
  }
  const sources = async (nodeId: string) =>
    (await t.pool.query(`select target_id from edges where source_id = $1 and kind = 'source'`, [nodeId])).rows

  test('has an edge to the clip, one for however many jobs', async () => {
    const forNodeId = await inside(collection)
    const { nodeId } = await t.run({ url: t.site.address('/sak'), forNodeId }, collection)
    await t.run({ url: t.site.address('/sak'), forNodeId }, collection)
    expect(await sources(forNodeId)).toEqual([{ target_id: nodeId }])
  })

  test("is one of the collection's: of another nothing is fetched, and one that leaves meanwhile leaves no clip", async () => {
    const [foreign, leaving] = [await inside(await t.collection()), await inside(collection)]
    const fetched = t.site.requests.length
    const url = t.site.address('/sak')
    await expect(t.run({ url, forNodeId: foreign }, collection)).rejects.toMatchObject({ code: 'NODE_NOT_IN_COLLECTION' })
    expect(t.site.requests).toHaveLength(fetched)
    t.site.setPages({ '/treg': page() })
    t.saying(() => {
      void t.pool.query('delete from edges where target_id = $1', [leaving])
      return {}
    })
    const gone = t.run({ url: t.site.address('/treg'), forNodeId: leaving }, collection)
    await expect(gone).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    expect(await t.clips(collection)).toEqual([])
    expect(await sources(leaving)).toEqual([])
  })
})
