import { insertNode } from '@sidelinja/jobs-core/testing'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { council, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
afterEach(() => t.drop())

const reply = {
  ...{ title: 'Kommunestyret og banen', description: 'Om budsjett og bane.', summary: 'Rådet sa ja.' },
  chapters: [
    { start_segment: 6, title: 'Været' },
    { start_segment: 2, title: 'Kommunestyret' },
  ],
  topics: [
    { ref: 'T1', name: 'whatever', confidence: 0.9 },
    { ref: null, name: 'Fotball', confidence: 0.5 },
  ],
  people: [{ name: 'Ola Berg', role: 'ordfører', evidence: 4 }],
  quotes: [{ segment: 3, text: 'kommunestyret sa ja til budsjettet' }],
}
const says = (content: object) => ({ answer: () => gatewayReply(JSON.stringify(content)) })

describe('an analysis', () => {
  test('has times and nodes instead of numbers, and stands in place of the one before', async () => {
    t = await setup(inject('server'), says(reply))
    const arranged = await t.arrange(council)
    const { id: topic } = await insertNode(t.db, { kind: 'topic', title: 'Lokalpolitikk' })
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'topic')`, [arranged.collectionNodeId, topic])
    const { result } = await t.analyse(arranged)
    expect(result).toEqual({
      analysis: {
        ...{ title: 'Kommunestyret og banen', description: 'Om budsjett og bane.', summary: 'Rådet sa ja.', language: 'nb' },
        chapters: [
          { startMs: 0, title: 'Kommunestyret' },
          { startMs: 25_000, title: 'Været' },
        ],
        topics: [
          { nodeId: topic, name: 'Lokalpolitikk', confidence: 0.9 },
          { nodeId: null, name: 'Fotball', confidence: 0.5 },
        ],
        people: [{ name: 'Ola Berg', role: 'ordfører', startMs: 15_000 }],
        quotes: [{ startMs: 10_000, text: 'kommunestyret sa ja til budsjettet' }],
      },
      ...{ note: null, segments: 7, parts: 1, dropped: {}, cut: {} },
    })
    expect(await t.stored(arranged)).toMatchObject({
      content: result.analysis,
      language: 'nb',
      model: 'sidelinja/resonnering',
      promptVersion: 'openrouter_analyze/1',
    })
    await t.analyse(arranged)
    expect((await t.pool.query('select from media_analyses')).rowCount).toBe(1)
  })

  test('holds nothing that the transcript does not bear out', async () => {
    const lies = {
      ...reply,
      chapters: [{ start_segment: 99, title: 'Finnes ikke' }],
      topics: [{ ref: 'T7', name: 'Ukjent', confidence: 1 }],
      people: [
        { name: 'Kong Harald', role: null, evidence: 1 },
        { name: 'Ola Berg', role: null, evidence: 99 },
      ],
      quotes: [
        { segment: 3, text: 'kommunestyret sa nei til budsjettet' },
        { segment: 7, text: 'kommunestyret sa ja til budsjettet' },
      ],
    }
    t = await setup(inject('server'), says(lies))
    const { result } = await t.analyse(await t.arrange(council))
    expect(result.analysis).toMatchObject({ chapters: [], topics: [], people: [], quotes: [] })
    expect(result.dropped).toEqual({ chapters: 1, topics: 1, people: 2, quotes: 2 })
  })

  test('of a recording in which nobody speaks is none, and asks nobody', async () => {
    t = await setup(inject('server'))
    const arranged = await t.arrange([])
    expect((await t.analyse(arranged)).result).toEqual({ analysis: null, note: 'no speech', segments: 0, parts: 0, dropped: {}, cut: {} })
    expect(t.gateway.requests).toEqual([])
    expect(await t.stored(arranged)).toBeUndefined()
  })

  test('of a recording that was never transcribed is a failure that says so, and asks nobody', async () => {
    t = await setup(inject('server'))
    const { id: collectionNodeId } = await insertNode(t.db)
    const { id: mediaNodeId } = await insertNode(t.db, { kind: 'episode' })
    await expect(t.analyse({ collectionNodeId, mediaNodeId })).rejects.toMatchObject({
      ...{ kind: 'permanent', code: 'TRANSCRIPT_MISSING' },
      message: expect.stringContaining('whisper_transcribe'),
    })
    // The transcript of another collection is none of this one.
    await expect(t.analyse({ collectionNodeId, mediaNodeId: (await t.arrange(council)).mediaNodeId })).rejects.toMatchObject({
      code: 'TRANSCRIPT_MISSING',
    })
    expect(t.gateway.requests).toEqual([])
  })

  test('of a long transcript is made of its parts, each asked about once, all of it covered', async () => {
    t = await setup(inject('server'))
    const long = Array.from({ length: 900 }, (_, n) => `Dette er setning nummer ${n} om været, veien og vinden i fjellet denne dagen.`)
    const { result } = await t.analyse(await t.arrange(long))
    expect(result.parts).toBeGreaterThan(2)
    const sent = t.gateway.requests
      .slice(0, result.parts)
      .flatMap(({ chat }) => [...(chat?.messages[1]?.content.matchAll(/"segment":(\d+)/g) ?? [])].map(([, n]) => Number(n)))
    expect(new Set(sent).size).toBe(900)
    expect(t.gateway.requests.length).toBe(result.parts + 1)
    expect(result.analysis?.chapters[0]?.startMs).toBe(0)
  })

  test('of a transcript that the model finds too long is asked for in halves', async () => {
    t = await setup(inject('server'), { contextTokens: 9_000 })
    const long = Array.from({ length: 200 }, (_, n) => `Dette er setning nummer ${n} om været, veien og vinden i fjellet denne dagen.`)
    const { result } = await t.analyse(await t.arrange(long))
    expect(result.parts).toBeGreaterThan(1)
    expect(result.analysis?.title.length).toBeGreaterThan(0)
  })

  test('by the demo model says only what stands in the text', async () => {
    t = await setup(inject('server'))
    const { result } = await t.analyse(await t.arrange(council))
    expect(result.analysis?.quotes.length).toBeGreaterThan(0)
    expect(result.dropped).toEqual({})
    expect(result.analysis?.language).toBe('nb')
  })
})

describe('a reply', () => {
  const empties = ['', '   ', '\u200b', '…', '[](https://utenfra.example/x)']

  test('has its empty titles, names and quotes left out and counted, without being asked for again', async () => {
    const empty = {
      ...{ ...reply, title: '[ ](https://utenfra.example/x)' },
      chapters: [...reply.chapters, ...empties.map((title) => ({ start_segment: 4, title }))],
      topics: [...empties.map((name) => ({ ref: null, name, confidence: 1 })), ...reply.topics.slice(1)],
      people: [...empties.map((name) => ({ name, role: null, evidence: 1 })), { ...reply.people[0], role: ' ' }],
      quotes: [...empties.map((text) => ({ segment: 3, text })), ...reply.quotes],
    }
    t = await setup(inject('server'), says(empty))
    const arranged = await t.arrange(council)
    const { result } = await t.analyse(arranged)
    expect(result.dropped).toEqual({ chapters: 5, topics: 5, people: 5, quotes: 5 })
    expect(result.analysis).toMatchObject({
      title: council.join(' ').slice(0, 80).trim(),
      chapters: [{ title: 'Kommunestyret' }, { title: 'Været' }],
      topics: [{ name: 'Fotball' }],
      people: [{ name: 'Ola Berg', role: null }],
      quotes: [{ text: 'kommunestyret sa ja til budsjettet' }],
    })
    expect(t.gateway.requests).toHaveLength(1)
    expect(await t.stored(arranged)).toMatchObject({ content: result.analysis })
  })

  test.each(['title', 'description', 'summary'])('with an empty %s is asked for once more', async (key) => {
    t = await setup(inject('server'), {
      answer: ({ chat }) => gatewayReply(JSON.stringify(chat?.messages.length === 2 ? { ...reply, [key]: ' \n' } : reply)),
    })
    expect((await t.analyse(await t.arrange(council))).result.analysis).toMatchObject({ title: reply.title, summary: reply.summary })
    expect(t.gateway.requests).toHaveLength(2)
  })

  test('with a list that is too long keeps its beginning, tells how much went, and is not asked for again', async () => {
    const chapters = Array.from({ length: 43 }, (_, n) => ({ start_segment: 1 + (n % 7), title: `Kapittel ${n}` }))
    const quotes = Array.from({ length: 15 }, () => reply.quotes[0])
    t = await setup(inject('server'), says({ ...reply, chapters, quotes }))
    const { result } = await t.analyse(await t.arrange(council))
    expect(result).toMatchObject({ cut: { chapters: 3, quotes: 3 }, dropped: { topics: 1 } })
    expect(result.analysis?.chapters.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `Kapittel ${n}`))
    expect(result.analysis?.quotes).toHaveLength(12)
    expect(t.gateway.requests).toHaveLength(1)
  })

  test('with a list that is too long and something else wrong is asked for once more', async () => {
    const topics = Array.from({ length: 21 }, () => ({ ref: null, name: 'Fotball', confidence: 7 }))
    t = await setup(inject('server'), {
      answer: ({ chat }) => gatewayReply(JSON.stringify(chat?.messages.length === 2 ? { ...reply, topics } : reply)),
    })
    expect((await t.analyse(await t.arrange(council))).result.cut).toEqual({})
    expect(t.gateway.requests).toHaveLength(2)
  })
})

describe('a reply that was cut', () => {
  test.each(['{"title":"Kort samm', JSON.stringify(reply)])('is a failure that says so, and leaves nothing: %s', async (content) => {
    t = await setup(inject('server'), { answer: () => gatewayReply(content, { finishReason: 'length' }) })
    const arranged = await t.arrange(['Bare én setning.'])
    await expect(t.analyse(arranged)).rejects.toMatchObject({ kind: 'permanent', code: 'REPLY_CUT' })
    expect(await t.stored(arranged)).toBeUndefined()
    expect(t.gateway.requests.map(({ chat }) => chat?.max_tokens)).toEqual([4_000, 8_000])
  })

  test('in a fence is read', async () => {
    t = await setup(inject('server'), { answer: () => gatewayReply(`\`\`\`json\n${JSON.stringify(reply)}\n\`\`\``) })
    expect((await t.analyse(await t.arrange(council))).result.analysis?.chapters).toHaveLength(2)
  })
})
