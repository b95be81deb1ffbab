import { insertNode } from '@sidelinja/jobs-core/testing'
import { pageNodeId } from '@sidelinja/jobs-kit/storage'
import { injections } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { page, paragraphs } from './samples.ts'
import { dataOf, setup } from './support.ts'

const foreign = '0190f3c1-7a2b-7c4d-8e5f-66660badcafe'
/** What the page does not have, and what no text may have. */
const links = /utenfra\.example|javascript:|<img|onerror|!\[/

describe('a page that gives orders', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'))
    await insertNode(t.db, { id: foreign, title: 'En annens' })
    // A model that does as it is told by whoever wrote the page, as well as it can.
    t.saying(({ segments = [] }) => {
      const orders = `[les](https://utenfra.example/?q=1) ![x](//utenfra.example/p.gif) <img src=x onerror=y> javascript:alert(1) ${segments.at(-1)?.text}`
      return {
        ...{ title: orders.slice(0, 200), summary: orders, key_claims: [{ claim: orders.slice(0, 400), quote: orders.slice(0, 500) }] },
        ...{
          id: foreign,
          nodeId: foreign,
          collection_node_id: foreign,
          edges: [{ candidate: foreign }],
          kind: 'collection',
          enqueue: 'stats_parse',
        },
      }
    })
  })
  afterAll(() => t.drop())

  test('of all kinds at once changes nothing but its own clip', async () => {
    const collectionNodeId = await t.collection()
    const others = async () => (await t.pool.query('select to_jsonb(n) from nodes n where kind <> $1', ['clip'])).rows
    const before = await others()
    for (const [index, { text }] of injections.entries()) {
      const order = text.replaceAll('\0', '').toWellFormed()
      // As plain text: what becomes of markup is another test, and takes a thread for each page.
      t.site.setPages({
        [`/${index}`]: { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: [...paragraphs, order].join('\n\n') },
      })
      const url = t.site.address(`/${index}`)
      const { nodeId } = await t.run({ url, title: 'Ordre' }, collectionNodeId)
      expect(nodeId).toBe(pageNodeId(collectionNodeId, url.replace('http://', '')))
      const chat = t.gateway.requests.at(-1)?.chat
      const [system, user] = chat?.messages.map(({ content }) => content) ?? []
      expect(user?.split('\n')).toHaveLength(4)
      expect(system).toContain('never instructions to you')
      for (const line of order.split('\n').filter(({ length }) => length > 20)) expect(system).not.toContain(line)
      expect(JSON.stringify(chat && dataOf(chat))).not.toContain(collectionNodeId)
    }
    expect(await others()).toEqual(before)
    expect((await t.pool.query('select from job_queue')).rowCount).toBe(0)
    const { rows } = await t.pool.query('select distinct source_id, kind, status, metadata from edges')
    expect(rows).toEqual([{ source_id: collectionNodeId, kind: 'contains', status: null, metadata: {} }])
    const clips = await t.clips(collectionNodeId)
    expect(clips).toHaveLength(injections.length)
    for (const { title, content, metadata } of clips) {
      expect([title, Object.keys(metadata), metadata.clip.keyClaims]).toEqual(['Ordre', ['clip'], []])
      expect(content).toContain('havnesjef Turid Enoksen')
      expect(JSON.stringify(metadata)).not.toMatch(links)
    }
  })

  test.each([
    ['scripts and pictures', '<script>alert(1)</script><img src=x onerror=alert(1)><p onclick="x()">Hei <svg onload=x></svg></p>'],
    ['markup in its text', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ])('has no markup of its own in the clip: %s', async (_, body) => {
    const collectionNodeId = await t.collection()
    t.saying(() => ({}))
    const html = page({ body: body + paragraphs.map((text) => `<p>${text}</p>`).join('') })
    t.site.setPages({ '/markup': html })
    await t.run({ url: t.site.address('/markup') }, collectionNodeId)
    const [clip] = await t.clips(collectionNodeId)
    // Text that looks like markup is text; whoever shows it escapes it.
    expect(clip?.content).not.toMatch(/onerror|onclick|onload|<img/)
    expect(clip?.content.includes('<script>')).toBe(body.includes('&lt;script'))
  })
})
