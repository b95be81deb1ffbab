import { readFile } from 'node:fs/promises'
import { quoteOccurs } from '@sidelinja/jobs-kit'
import { pageNodeId } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { page, paragraphs } from './samples.ts'
import { dataOf, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
let collection: string
beforeAll(async () => {
  t = await setup(inject('server'))
})
beforeEach(async () => {
  collection = await t.collection()
  t.saying()
})
afterAll(() => t.drop())

const content = paragraphs.join('\n\n')

describe('a page', () => {
  test('becomes a clip with its text, what it says of itself, and what it claims, by the demo model', async () => {
    const url = t.site.address('/sak')
    const result = await t.run({ url: `${url}?utm_source=nyhetsbrev&id=7` }, collection)
    const [clip, ...others] = await t.clips(collection)
    expect(others).toEqual([])
    expect(clip).toMatchObject({ title: 'Kystbyen får ny redningsskøyte', content })
    expect(clip?.metadata).toEqual({
      clip: {
        ...{ quality: 'full', obstacle: null, sourceUrl: `${url}?utm_source=nyhetsbrev&id=7`, url: `${url}?id=7`, canonicalUrl: null },
        ...{
          siteName: 'Avisa',
          author: 'Kari Lyng',
          publishedAt: '2026-01-20T07:00:00.000Z',
          description: null,
          language: 'nb',
          reservations: [],
        },
        ...{
          mediaType: 'text/html',
          etag: null,
          contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
          fetchedAt: expect.stringMatching(/^20/),
        },
        ...{ cutCharacters: 0, summary: expect.stringMatching(/\S/), keyClaims: expect.any(Array), sourceType: expect.any(String) },
        ...{ model: 'sidelinja/rutine', promptVersion: 'url_ingest/1', jobId: expect.any(String), written: expect.any(String) },
      },
    })
    const claims = clip?.metadata.clip.keyClaims ?? []
    expect(claims.length).toBeGreaterThan(0)
    expect(claims.every(({ quote }) => quoteOccurs(quote, content))).toBe(true)
    expect(result).toMatchObject({
      nodeId: clip?.id,
      outcome: 'stored',
      quality: 'full',
      status: 200,
      characters: content.length,
      parts: 1,
      questions: 1,
    })
    expect(JSON.stringify(result)).not.toContain('Havørn')
    const asked = t.gateway.requests.at(-1)?.chat
    expect(asked && dataOf(asked)).toMatchObject({
      site: 'site.example',
      title: 'Kystbyen får ny redningsskøyte',
      segments: paragraphs.map((text) => ({ text })),
    })
    expect(asked?.messages[0]?.content).toContain('skriv på bokmål')
    expect(JSON.stringify(asked)).not.toMatch(/nyhetsbrev|Godta alle|Bli abonnent/)
  })

  test('has the title that was given, and no claim that it does not bear out', async () => {
    const key_claims = [
      { claim: 'Skøyta er 18 meter lang.', quote: 'Den er 18 meter lang' },
      { claim: 'Skøyta er 28 meter lang.', quote: 'Den er 28 meter lang' },
      { claim: ' ', quote: 'Den er 18 meter lang' },
    ]
    t.saying(() => ({
      key_claims,
      summary: 'Les ![x](https://utenfra.example/p.gif) mer på https://utenfra.example/.',
      author: 'Modellen',
      published_at: '1999-01-01',
    }))
    const result = await t.run({ url: t.site.address('/sak'), title: 'Til møtet' }, collection)
    expect(result).toMatchObject({ keyClaims: 1, dropped: { claims: 2 } })
    expect(await t.clips(collection)).toMatchObject([
      {
        title: 'Til møtet',
        metadata: { clip: { summary: 'Les x mer på ….', keyClaims: [{ claim: 'Skøyta er 18 meter lang.' }], author: 'Kari Lyng' } },
      },
    ])
  })

  test('without a title has the model’s, and where that is none its address', async () => {
    t.site.setPages({ '/notat.txt': { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: content } })
    t.saying(() => ({ title: 'Ny skøyte' }))
    await t.run({ url: t.site.address('/notat.txt') }, collection)
    t.saying(() => ({ title: 'https://utenfra.example/x' }))
    const other = await t.collection()
    await t.run({ url: t.site.address('/notat.txt') }, other)
    expect([...(await t.clips(collection)), ...(await t.clips(other))].map(({ title }) => title.replace(/:\d+/, ''))).toEqual([
      'Ny skøyte',
      'site.example/notat.txt',
    ])
  })

  test('that is long is read in parts, and then together', async () => {
    const body = Array.from(
      { length: 400 },
      (_, n) =>
        `<p>Punkt ${1000 + n}: Utvalget mener at veien over fjellet ikke kan stenges hver gang det blåser, og at det må bygges.</p>`,
    )
    t.site.setPages({ '/lang': page({ body: body.join('') }) })
    t.saying(({ parts }) => (parts ? { summary: `Av ${parts.length} deler.` } : {}))
    const result = await t.run({ url: t.site.address('/lang') }, collection)
    expect(result.parts).toBeGreaterThan(1)
    expect(result.questions).toBe(result.parts + 1)
    expect(await t.clips(collection)).toMatchObject([{ metadata: { clip: { summary: `Av ${result.parts} deler.` } } }])
  })

  test('in another encoding has its letters (A37)', async () => {
    const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url))
    const [latin, marked] = await Promise.all([fixture('a37-latin1-meta.html'), fixture('a37-utf8-bytes-wrong-meta.html')])
    const served = { '/1': 'text/html', '/2': 'text/html; charset=ISO-8859-1', '/3': 'text/html; charset=klingon' }
    for (const [path, type] of Object.entries(served)) t.site.setPages({ [path]: { headers: { 'content-type': type }, body: latin } })
    t.site.setPages({ '/4': { headers: { 'content-type': 'text/html' }, body: marked } })
    for (const path of ['/1', '/2', '/3', '/4']) await t.run({ url: t.site.address(path) }, collection)
    const clips = await t.clips(collection)
    expect(clips.map(({ title }) => title)).toEqual(Array(4).fill('Blåbærsyltetøy på Røros'))
    expect(new Set(clips.map((clip) => clip.content)).size).toBe(1)
    expect(clips[0]?.content).toMatch(/høst på fjellet, og bærplukkerne(.|\n)*færre elger på jordet bak låven\.$/)
    expect(JSON.stringify(clips)).not.toContain('\ufffd')
  })
})

describe('what stands in an article’s place', () => {
  const tease = page({
    head: '<script type="application/ld+json">{"@type":"NewsArticle","headline":"Skøyte","isAccessibleForFree":false}</script>',
  })
  const pages = {
    '/samtykke': page({ title: 'Avisa', body: '<p>Før du fortsetter: Vi bruker informasjonskapsler. Godta alle, eller avvis alle.</p>' }),
    '/mur': tease,
    '/program':
      '<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/a.js"></script></body></html>',
    '/tom': '<!doctype html><html><body></body></html>',
    '/myk': page({ title: 'Siden finnes ikke', body: '<p>Kanskje lette du etter noe annet her hos oss?</p>' }),
    '/stengt': { status: 403, body: page() },
    '/uleselig': { body: '%PDF-1.7 ødelagt', headers: { 'content-type': 'application/pdf' } },
  }
  test.each([
    ['/samtykke', 'consent', 'partial', 'Avisa'],
    ['/mur', 'paywall', 'partial', 'Kystbyen får ny redningsskøyte'],
    ['/program', 'needs_script', 'blocked', 'App'],
    ['/tom', 'empty', 'blocked', 'site.example/tom'],
    ['/myk', 'not_found', 'partial', 'Siden finnes ikke'],
    ['/ingen', 'not_found', 'blocked', 'site.example/ingen'],
    ['/stengt', 'refused', 'blocked', 'site.example/stengt'],
    ['/uleselig', expect.stringMatching(/unreadable|no_pdf_reader/), 'blocked', 'uleselig'],
  ])('%s is stored as %s (%s), and no model is asked', async (path, obstacle, quality, title) => {
    t.site.setPages(pages)
    const result = await t.run({ url: t.site.address(path) }, collection)
    expect(result).toMatchObject({ obstacle, quality, parts: 0, keyClaims: 0, questions: 0, outcome: 'stored' })
    const [clip] = await t.clips(collection)
    expect(clip?.metadata.clip).toMatchObject({
      obstacle,
      quality,
      summary: '',
      keyClaims: [],
      sourceType: null,
      model: null,
      promptVersion: null,
    })
    expect(clip?.title.replace(/:\d+/, '')).toBe(title)
    expect(clip?.content === '').toBe(quality === 'blocked')
    expect((await t.pool.query('select from ai_calls where collection_node_id = $1', [collection])).rowCount).toBe(0)
  })

  test('is asked for by a machine, and robots.txt forbids it: nothing is fetched', async () => {
    t.site.setPages({ '/robots.txt': { body: 'User-agent: *\nDisallow: /sak' } })
    expect(await t.run({ url: t.site.address('/sak'), automated: true }, collection)).toMatchObject({
      obstacle: 'robots',
      status: null,
      questions: 0,
    })
    expect(t.site.requests.at(-1)?.path).toBe('/robots.txt')
    t.site.setPages({ '/robots.txt': { status: 404 } })
  })

  test('never takes the place of what was read before, and makes room for it', async () => {
    const url = t.site.address('/snart')
    t.site.setPages({ '/snart': { status: 404 } })
    expect(await t.run({ url }, collection)).toMatchObject({ outcome: 'stored', quality: 'blocked' })
    t.site.setPages({ '/snart': page() })
    expect(await t.run({ url }, collection)).toMatchObject({ outcome: 'stored', quality: 'full' })
    const before = await t.clips(collection)
    t.site.setPages({ '/snart': { status: 410 } })
    expect(await t.run({ url }, collection)).toMatchObject({ outcome: 'kept', obstacle: 'not_found' })
    expect(await t.clips(collection)).toEqual(before)
  })
})

describe('another job about the same page', () => {
  test('replaces what is known of it; what somebody edited stays', async () => {
    const first = await t.run({ url: t.site.address('/sak') }, collection)
    t.saying(() => ({ summary: 'Et annet.' }))
    const second = await t.run({ url: `${t.site.address('/sak', 'site.example')}?fbclid=1#topp` }, collection)
    expect([second.nodeId, second.outcome]).toEqual([first.nodeId, 'stored'])
    await t.pool.query(`update nodes set content = 'Mitt utdrag' where id = $1`, [first.nodeId])
    expect(await t.run({ url: t.site.address('/sak') }, collection)).toMatchObject({ nodeId: first.nodeId, outcome: 'edited' })
    expect(await t.clips(collection)).toMatchObject([{ content: 'Mitt utdrag', metadata: { clip: { summary: 'Et annet.' } } }])
    expect((await t.run({ url: t.site.address('/sak') }, await t.collection())).nodeId).not.toBe(first.nodeId)
  })

  test('leaves a node alone that is not the collection’s any more', async () => {
    const url = t.site.address('/sak')
    const { nodeId } = await t.run({ url }, collection)
    expect(nodeId).toBe(pageNodeId(collection, url.replace('http://', '')))
    await t.pool.query('update edges set source_id = $1 where target_id = $2', [await t.collection(), nodeId])
    const before = await t.pool.query('select * from nodes where id = $1', [nodeId])
    await expect(t.run({ url }, collection)).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    expect((await t.pool.query('select * from nodes where id = $1', [nodeId])).rows).toEqual(before.rows)
  })
})
