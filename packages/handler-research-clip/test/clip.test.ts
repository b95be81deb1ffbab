import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { enqueue } from '@sidelinja/jobs-core'
import { drain, insertNode } from '@sidelinja/jobs-core/testing'
import { quoteOccurs } from '@sidelinja/jobs-kit'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { researchClip } from '../src/job.ts'
import { article, release, report } from './samples.ts'
import { dataOf, saying, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
afterEach(() => t.drop())

describe('a clip', () => {
  test('becomes a research node of the collection, by the demo model', async () => {
    t = await setup(inject('server'))
    const collectionNodeId = await t.collection()
    const result = await t.run({ text: article, sourceUrl: 'https://avisa.example.no/havorn?bruker=hemmelig' }, { collectionNodeId })
    const [node] = await t.stored(collectionNodeId)
    expect(result).toMatchObject({ parts: 1, leftOut: { lines: 5 }, dropped: { claims: 0, lines: 0 } })
    expect(node?.content).toMatch(/^Kystbyen får ny redningsskøyte\n\nFra 1\. februar/)
    expect(node?.content).toMatch(/havn$/)
    const { clip } = node?.metadata ?? {}
    expect(clip).toMatchObject({ language: 'nb', leftOut: 5, model: 'sidelinja/rutine', promptVersion: 'research_clip/1' })
    expect(clip?.sourceUrl).toBe('https://avisa.example.no/havorn?bruker=hemmelig')
    expect(clip?.keyClaims.length).toBe(result.keyClaims)
    expect(clip?.keyClaims.every(({ quote }) => quoteOccurs(quote, article))).toBe(true)
    expect(clip?.keyClaims.length).toBeGreaterThan(0)
    expect(t.gateway.requests.map(({ chat }) => chat && dataOf(chat).site)).toEqual(['avisa.example.no'])
    expect(t.gateway.requests[0]?.body).not.toContain('hemmelig')
  })

  test('in nynorsk is asked about in nynorsk, and keeps the title it was given', async () => {
    t = await setup(inject('server'))
    const collectionNodeId = await t.collection()
    await t.run({ text: release, title: 'Notbruk' }, { collectionNodeId })
    expect(await t.stored(collectionNodeId)).toMatchObject([{ title: 'Notbruk', content: release, metadata: { clip: { language: 'nn' } } }])
    expect(t.gateway.requests[0]?.chat?.messages[0]?.content).toContain('skriv på nynorsk')
  })

  test('has no claim whose quote it does not say, and no link that it does not have', async () => {
    const key_claims = [
      { claim: 'Skøyta er 18 meter lang.', quote: 'Den er 18 meter lang' },
      { claim: 'Skøyta er 28 meter lang.', quote: 'Den er 28 meter lang' },
      { claim: 'Meny.', quote: 'Logg inn' },
      { claim: 'Se https://utenfra.example/x og https://sorvagen.example.no/havn', quote: 'Ikke alle er fornøyde.' },
    ]
    t = await setup(
      inject('server'),
      saying(() => ({ key_claims, noise_segments: [1, 2, 99], summary: 'Les ![x](https://utenfra.example/p.gif) mer.' })),
    )
    const collectionNodeId = await t.collection()
    const result = await t.run({ text: article }, { collectionNodeId })
    expect(result).toMatchObject({ keyClaims: 2, dropped: { claims: 2, lines: 0 }, leftOut: { lines: 2, characters: 12 } })
    const [node] = await t.stored(collectionNodeId)
    expect(node?.metadata.clip.summary).toBe('Les x mer.')
    expect(node?.metadata.clip.keyClaims[1]?.claim).toBe('Se … og https://sorvagen.example.no/havn')
    expect(node?.metadata.clip.sourceType).toBe('news')
  })

  test.each(['<a href="https://utenfra.example">', '![](https://utenfra.example/p.gif)'])(
    'has a title, and no empty claim, where the model has nothing but a link: %s',
    async (link) => {
      t = await setup(
        inject('server'),
        saying(() => ({ title: link, summary: link, key_claims: [{ claim: link, quote: 'Kystbyen får ny redningsskøyte' }] })),
      )
      const collectionNodeId = await t.collection()
      const text = 'Kystbyen får ny redningsskøyte\n\nDen ligger i havna.'
      expect(await t.run({ text }, { collectionNodeId })).toMatchObject({ keyClaims: 0, dropped: { claims: 1 } })
      expect(await t.stored(collectionNodeId)).toMatchObject([
        { title: 'Kystbyen får ny redningsskøyte', metadata: { clip: { summary: '' } } },
      ])
    },
  )

  test('has no empty title, no empty claims, and no more claims than it may have', async () => {
    const quote = 'Kystbyen får ny redningsskøyte'
    const many = Array.from({ length: 12 }, (_, n) => ({ claim: `Krav ${n}.`, quote }))
    const empty = [
      { claim: ' ', quote },
      { claim: '', quote },
      { claim: 'Krav.', quote: '' },
      { claim: 'https://utenfra.example/x', quote },
    ]
    t = await setup(
      inject('server'),
      saying(() => ({ title: 'https://utenfra.example/x', key_claims: [...empty, ...many] })),
    )
    const collectionNodeId = await t.collection()
    const result = await t.run({ text: `${quote}\n\nDen ligger i havna.` }, { collectionNodeId })
    expect(result).toMatchObject({ keyClaims: 8, dropped: { claims: 4 }, cut: { key_claims: 4 } })
    const [node] = await t.stored(collectionNodeId)
    expect(node?.title).toBe(quote)
    expect(node?.metadata.clip.keyClaims.map(({ claim }) => claim)).toEqual(many.slice(0, 8).map(({ claim }) => claim))
    expect(t.gateway.requests).toHaveLength(1)
  })

  test.each(['title', 'summary'])('without a %s is asked for once more', async (key) => {
    t = await setup(
      inject('server'),
      saying(() => (t.gateway.requests.length === 1 ? { [key]: '\t ' } : {})),
    )
    const collectionNodeId = await t.collection()
    await t.run({ text: release }, { collectionNodeId })
    expect(await t.stored(collectionNodeId)).toMatchObject([{ title: 'En tittel', metadata: { clip: { summary: 'Et sammendrag.' } } }])
    expect(t.gateway.requests).toHaveLength(2)
  })

  test('is stored whatever signs the model makes', async () => {
    t = await setup(
      inject('server'),
      saying(() => ({ title: 'En\0 tittel\ud800', summary: 'Et \u202esammendrag\u0007.' })),
    )
    const collectionNodeId = await t.collection()
    await t.run({ text: release }, { collectionNodeId })
    const [node] = await t.stored(collectionNodeId)
    expect([node?.title, node?.metadata.clip.summary]).toEqual(['En tittel\ufffd', 'Et sammendrag.'])
  })

  test('is kept whole when most of it is said to be none', async () => {
    t = await setup(
      inject('server'),
      saying(({ segments = [] }) => ({ noise_segments: segments.map(({ segment }) => segment) })),
    )
    const collectionNodeId = await t.collection()
    const result = await t.run({ text: release }, { collectionNodeId })
    expect(result).toMatchObject({ leftOut: { lines: 0, characters: 0 }, dropped: { lines: 3 } })
    expect(await t.stored(collectionNodeId)).toMatchObject([{ content: release }])
  })
})

describe('another run of the same job', () => {
  test('replaces its own node, and leaves what others put beside it', async () => {
    let say = 0
    t = await setup(
      inject('server'),
      saying(() => ({ title: `Tittel ${++say}` })),
    )
    const [collectionNodeId, jobId] = [await t.collection(), randomUUID()]
    const first = await t.run({ text: release }, { collectionNodeId, jobId })
    await t.pool.query(`update nodes set metadata = metadata || '{"tags": ["sild"]}' where id = $1`, [first.nodeId])
    const second = await t.run({ text: release }, { collectionNodeId, jobId })
    expect(second.nodeId).toBe(first.nodeId)
    expect(await t.stored(collectionNodeId)).toMatchObject([{ title: 'Tittel 2', metadata: { tags: ['sild'], clip: { jobId } } }])
    expect((await t.run({ text: release }, { collectionNodeId })).nodeId).not.toBe(first.nodeId)
    expect(await t.stored(collectionNodeId)).toHaveLength(2)
  })

  test('leaves a node alone that is not the collection’s any more', async () => {
    t = await setup(inject('server'))
    const [collectionNodeId, jobId] = [await t.collection(), randomUUID()]
    const { nodeId } = await t.run({ text: release }, { collectionNodeId, jobId })
    const { id: other } = await insertNode(t.db)
    await t.pool.query('update edges set source_id = $1 where target_id = $2', [other, nodeId])
    const before = await t.hostRows()
    await expect(t.run({ text: article }, { collectionNodeId, jobId })).rejects.toMatchObject({
      kind: 'permanent',
      code: 'NODE_NOT_IN_COLLECTION',
    })
    expect(await t.hostRows()).toBe(before)
  })
})

test('who pastes twice with a key until the end has one job and one node, and later finds it by the key', async () => {
  t = await setup(inject('server'))
  const collectionNodeId = await t.collection()
  const options = { collectionNodeId, unique: { key: 'a hash of the text', until: 'finished' as const } }
  const paste = () => enqueue(t.pool, researchClip, { text: release }, options)
  const [first, second] = [await paste(), await paste()]
  expect(second.id).toBe(first.id)
  expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'completed' }])
  expect(await t.stored(collectionNodeId)).toHaveLength(1)

  const query = /`(select result [^`]+)`/.exec(await readFile(new URL('../README.md', import.meta.url), 'utf8'))?.[1] ?? ''
  const { rows } = await t.pool.query(query, [collectionNodeId, options.unique.key])
  expect(rows).toEqual([{ nodeId: expect.any(String) }])
  expect((await paste()).id).not.toBe(first.id)
})

describe('a long clip', () => {
  const long = report(450)

  test('is read in parts, each line once, and then together', async () => {
    expect(long.length).toBeGreaterThan(50_000)
    t = await setup(
      inject('server'),
      saying(({ segments, parts }) =>
        parts
          ? { summary: `Av ${parts.length} deler.` }
          : { noise_segments: [segments?.[0]?.segment === 1 ? 450 : 1], key_claims: [{ claim: 'Et krav.', quote: segments?.[0]?.text }] },
      ),
    )
    const collectionNodeId = await t.collection()
    const result = await t.run({ text: long }, { collectionNodeId })
    expect(result.parts).toBeGreaterThan(2)
    const sent = t.gateway.requests.flatMap(({ chat }) => (chat && dataOf(chat).segments?.map(({ segment }) => segment)) ?? [])
    expect(new Set(sent)).toEqual(new Set(Array.from({ length: 450 }, (_, n) => n + 1)))
    // Each part named a line of another one.
    expect(result.leftOut.lines).toBe(0)
    const [node] = await t.stored(collectionNodeId)
    expect(node?.metadata.clip.summary).toBe(`Av ${result.parts} deler.`)
  })

  test('that the model finds too long is asked about in halves', async () => {
    t = await setup(inject('server'), { contextTokens: 7_000 })
    const collectionNodeId = await t.collection()
    const result = await t.run({ text: report(150) }, { collectionNodeId })
    expect(t.gateway.requests.length).toBeGreaterThan(result.parts + 1)
    expect(await t.stored(collectionNodeId)).toMatchObject([{ content: report(150) }])
  })
})

describe('a reply that was cut', () => {
  test.each(['{"title":"Kort', JSON.stringify({ title: 'a', summary: 'b', source_type: 'news', key_claims: [], noise_segments: [] })])(
    'is a failure that says so, and leaves nothing: %s',
    async (content) => {
      t = await setup(inject('server'), { answer: () => gatewayReply(content, { finishReason: 'length' }) })
      const collectionNodeId = await t.collection()
      await expect(t.run({ text: 'Bare én setning.' }, { collectionNodeId })).rejects.toMatchObject({
        kind: 'permanent',
        code: 'REPLY_CUT',
      })
      expect(await t.stored(collectionNodeId)).toEqual([])
    },
  )
})
