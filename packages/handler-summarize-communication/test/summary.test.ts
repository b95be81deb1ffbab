import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { enqueueByType } from '@sidelinja/jobs-core'
import { drain, insertNode } from '@sidelinja/jobs-core/testing'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { chat, choirChat } from './samples.ts'
import { dataOf, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const recorded = JSON.parse(await readFile(new URL('fixtures/chat-reply.json', import.meta.url), 'utf8'))
const reply = JSON.parse(recorded.choices[0].message.content)
const says = (content: object) => () => gatewayReply(JSON.stringify(content))
const edgesOf = async (id: string | null) =>
  (await t.pool.query('select source_id, target_id, kind, status from edges where $1 in (source_id, target_id) order by kind', [id])).rows

describe('a summary', () => {
  test('is a node with an edge back to the chat, and says what was written there', async () => {
    const arranged = await t.arrange()
    t.answers(() => ({ status: 200, body: JSON.stringify(recorded), headers: { 'content-type': 'application/json' } }))
    const result = await t.run(arranged)
    expect(result).toEqual({
      ...{ summaryNodeId: expect.any(String), note: null, summary: 'stored', keyPoints: 3, read: { segments: 0, messages: 6 }, older: 0 },
      ...{ parts: 1, uncertain: 0, dropped: 0, cut: {} },
    })
    expect(dataOf(t.gateway.requests.at(-1)?.chat).segments).toEqual(chat.map(([speaker, text], n) => ({ segment: n + 1, text, speaker })))
    expect(await t.stored(arranged)).toMatchObject({
      ...{ id: result.summaryNodeId, kind: 'summary', title: 'Sammendrag: Styrechatten' },
      content: `${reply.summary}\n\n${reply.key_points.map(({ text }: { text: string }) => `- ${text}`).join('\n')}`,
      summary: { of: arranged.nodeId, language: 'nb', keyPoints: reply.key_points, promptVersion: 'summarize_communication/1' },
    })
    expect(await edgesOf(result.summaryNodeId)).toEqual([
      { source_id: arranged.collectionNodeId, target_id: result.summaryNodeId, kind: 'has_summary', status: null },
      { source_id: result.summaryNodeId, target_id: arranged.nodeId, kind: 'summary', status: null },
    ])
  })

  test('as the button enqueues it is replaced by that of the next job, and stays one', async () => {
    const arranged = await t.arrange()
    const { collectionNodeId, nodeId } = arranged
    for (const summary of ['Først.', 'Så.']) {
      t.answers(says({ ...reply, summary }))
      const unique = { key: `node ${nodeId}` }
      await enqueueByType(t.pool, 'summarize_communication', { nodeId }, { collectionNodeId, priority: 5, unique })
      expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'completed' }])
    }
    expect((await t.stored(arranged))?.content).toMatch(/^Så\./)
    const { rows } = await t.pool.query(
      `select count(*)::int as nodes from nodes where kind = 'summary' and metadata #>> '{summary,of}' = $1`,
      [nodeId],
    )
    expect(rows).toEqual([{ nodes: 1 }])
    expect(await edgesOf((await t.stored(arranged))?.id ?? '')).toHaveLength(2)
  })

  test.each(['title', 'content'])('whose %s somebody has edited stays, and the new one stands beside it', async (column) => {
    const arranged = await t.arrange()
    t.answers(says(reply))
    const { summaryNodeId } = await t.run(arranged)
    await t.pool.query(`update nodes set ${column} = 'Rettet av Selma.', metadata = metadata || '{"tags": ["leie"]}' where id = $1`, [
      summaryNodeId,
    ])
    for (const summary of ['Nyere.', 'Nyest.']) {
      t.answers(says({ ...reply, summary, key_points: [] }))
      expect((await t.run(arranged)).summary).toBe('suggested')
    }
    expect(await t.stored(arranged)).toMatchObject({
      ...{ [column]: 'Rettet av Selma.', metadata: { tags: ['leie'] } },
      summary: { keyPoints: reply.key_points, suggestion: { title: 'Sammendrag: Styrechatten', content: 'Nyest.', keyPoints: [] } },
    })
  })

  test('of a meeting is of what was said and then of what was written, also as a follow-up names it', async () => {
    const arranged = await t.arrange(chat.slice(0, 2))
    await t.transcribe(arranged, ['Velkommen til møtet.', 'Da er budsjettet vedtatt.'])
    t.answers(says({ ...reply, key_points: [] }))
    const { nodeId: mediaNodeId, collectionNodeId } = arranged
    expect((await t.run({ collectionNodeId, mediaNodeId })).read).toEqual({ segments: 2, messages: 2 })
    const sent = dataOf(t.gateway.requests.at(-1)?.chat).segments ?? []
    expect(sent.map(({ speaker }) => speaker)).toEqual(['Marit', 'Marit', 'Selma', 'Jonas'])
  })

  test('of a chat that is kept as the text of its node is of its lines', async () => {
    const arranged = await t.arrange([], { content: 'Selma: Hei!\n\nJonas: Vi sier ja.' })
    t.answers(says({ ...reply, key_points: [{ text: 'De sier ja.', quote: 'Vi sier ja' }] }))
    expect(await t.run(arranged)).toMatchObject({ read: { segments: 0, messages: 2 }, keyPoints: 1 })
  })

  test('leaves out what nobody said', async () => {
    const arranged = await t.arrange()
    const [good] = reply.key_points
    const points = [{ ...good, quote: 'Vi kan leie den gratis' }, { text: '…', quote: good.quote }, { ...good, quote: ' ' }, good]
    t.answers(says({ ...reply, key_points: points }))
    expect(await t.run(arranged)).toMatchObject({ keyPoints: 1, dropped: 3 })
    expect((await t.stored(arranged))?.summary.keyPoints).toEqual([good])
  })

  test('leaves out what too few words bear out, and what a number or a name was added to', async () => {
    const arranged = await t.arrange()
    const [good] = reply.key_points
    const points = [
      { text: 'Det handler om penger.', quote: 'kroner' },
      { ...good, text: 'Leien er 45 000 kroner i måneden.' },
      { ...good, text: 'Leien går til Harald.' },
      { ...good, text: 'Amira vet hva leien er.' },
    ]
    t.answers(says({ ...reply, key_points: points }))
    expect(await t.run(arranged)).toMatchObject({ keyPoints: 1, dropped: 3 })
    expect((await t.stored(arranged))?.summary.keyPoints).toEqual(points.slice(3))
  })

  test.each([
    ['nn → nb', 'Jeg vet ikke hva vi skal gjøre nå, men hun kommer hjem.'],
    ['nn → ?', 'We do not know what we are to do with this, and she is on her way.'],
  ])('that came back in another language says so: %s', async (text, summary) => {
    const arranged = await t.arrange(choirChat)
    t.answers(says({ ...reply, summary, key_points: [] }))
    expect(await t.run(arranged)).toMatchObject({ uncertain: 1 })
    expect((await t.stored(arranged))?.summary.uncertain).toEqual([{ kind: 'language', text }])
  })

  test('quotes what one person wrote, or said over several segments, and never two as one', async () => {
    const [asked, told] = ['Var det deg som tok kassa? Ja', 'Jeg tok kassa i en drøm']
    const quoting = (...quotes: string[]) => says({ ...reply, key_points: quotes.map((quote) => ({ text: 'Om kassa.', quote })) })
    t.answers(quoting(asked, told, 'tok kassa? Ja Jeg tok kassa'))
    const arranged = await t.arrange([
      ['Kari', asked],
      ['Ola', told],
    ])
    expect(await t.run(arranged)).toMatchObject({ keyPoints: 2, dropped: 1 })

    // Marit says both, a message of another follows.
    await t.transcribe(arranged, ['Vi har vedtatt', 'å male huset.'])
    t.answers(quoting('vedtatt å male huset', 'male huset. Var det deg'))
    expect(await t.run(arranged)).toMatchObject({ keyPoints: 1, dropped: 1 })

    await t.pool.query(`update transcription_segments set speaker = text where media_node_id = $1`, [arranged.nodeId])
    expect(await t.run(arranged)).toMatchObject({ keyPoints: 0, dropped: 2 })
  })

  test('of a chat in nynorsk is in nynorsk, by the demo model only of what was written', async () => {
    t.answers(undefined)
    const arranged = await t.arrange(choirChat)
    // One word, "Fint!", bears nothing out.
    expect(await t.run(arranged)).toMatchObject({ dropped: 1, summary: 'stored' })
    expect(await t.stored(arranged)).toMatchObject({
      title: 'Samandrag: Styrechatten',
      content: expect.stringMatching(/ikkje|byrjar/),
      summary: { language: 'nn' },
    })
    expect(t.gateway.requests.at(-1)?.chat?.messages[0]?.content).toContain('nynorsk, ikkje bokmål')
  })

  test('of much is made of parts, each message read once, and then of the parts together', { timeout: 60_000 }, async () => {
    const many = Array.from({ length: 700 }, (_, n): [string, string] => [
      'Selma',
      `Melding ${1000 + n}: veien over fjellet kan ikke stenges hver gang det blåser, skrev hun.`,
    ])
    const arranged = await t.arrange(many)
    const asked = t.gateway.requests.length
    t.answers(({ chat: sent }) => {
      const { segments = [], summaries } = dataOf(sent)
      const points = (summaries as { key_points: object[] }[] | undefined)?.flatMap(({ key_points }) => key_points)
      const own = [{ text: `Om ${segments.at(-1)?.text.slice(0, 12)}.`, quote: segments.at(-1)?.text ?? '' }]
      return gatewayReply(JSON.stringify({ summary: `${summaries?.length ?? 'En'} del(er).`, key_points: points ?? own, language: 'nb' }))
    })
    const result = await t.run(arranged)
    expect(result.parts).toBeGreaterThan(3)
    expect(result).toMatchObject({ keyPoints: result.parts, dropped: 0, read: { messages: 700 } })
    const sent = t.gateway.requests.slice(asked).flatMap(({ chat: each }) => dataOf(each).segments?.map(({ segment }) => segment) ?? [])
    expect(new Set(sent)).toEqual(new Set(many.map((_, n) => n + 1)))
    expect((await t.stored(arranged))?.content).toMatch(new RegExp(`^${result.parts} del`))
  })
})

describe('none is made', () => {
  test('where nothing was said or written, and nobody is asked', async () => {
    const asked = t.gateway.requests.length
    const arranged = await t.arrange([['Selma', ' \n']], { content: ' ' })
    expect(await t.run(arranged)).toMatchObject({ note: 'no text', summaryNodeId: null, read: { segments: 0, messages: 0 } })
    expect([await t.stored(arranged), t.gateway.requests.length]).toEqual([undefined, asked])
  })

  test.each(['{"summary":"Kort', JSON.stringify(reply)])(
    'of a reply that was cut, which is a failure that says so: %#',
    async (content) => {
      t.answers(() => gatewayReply(content, { finishReason: 'length' }))
      const arranged = await t.arrange([['Selma', 'Bare én setning.']])
      await expect(t.run(arranged)).rejects.toMatchObject({ kind: 'permanent', code: 'REPLY_CUT' })
      expect(await t.stored(arranged)).toBeUndefined()
    },
  )

  test("of another collection's, nor of one that is gone or too long, and nobody is asked", async () => {
    const asked = t.gateway.requests.length
    const [{ collectionNodeId }, other] = [await t.arrange(), await t.arrange()]
    const { id: loose } = await insertNode(t.db, { kind: 'chat', content: 'Løst.' })
    for (const nodeId of [other.nodeId, other.collectionNodeId, loose, randomUUID()]) {
      await expect(t.run({ collectionNodeId, nodeId })).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    }
    const long = await t.arrange([], { content: 'x'.repeat(1_500_001) })
    await expect(t.run(long)).rejects.toMatchObject({ kind: 'permanent', code: 'TEXT_TOO_LONG' })
    expect(t.gateway.requests).toHaveLength(asked)
  })

  test('of a chat that left the collection meanwhile, and nothing is written', async () => {
    const arranged = await t.arrange()
    t.answers(async () => {
      await t.pool.query('delete from edges where target_id = $1', [arranged.nodeId])
      return gatewayReply(JSON.stringify(reply))
    })
    await expect(t.run(arranged)).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    const { rows } = await t.pool.query(`select id from nodes where kind = 'summary' and metadata #>> '{summary,of}' = $1`, [
      arranged.nodeId,
    ])
    expect(rows).toEqual([])
  })
})
