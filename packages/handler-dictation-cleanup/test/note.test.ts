import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { farm, visit } from './samples.ts'
import { dataOf, setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const recorded = JSON.parse(await readFile(new URL('fixtures/visit-reply.json', import.meta.url), 'utf8'))
const reply = JSON.parse(recorded.choices[0].message.content)
const says = (content: object) => () => gatewayReply(JSON.stringify({ ...reply, ...content }))
const edgesOf = async (id: string | null) =>
  (await t.pool.query('select source_id, target_id, kind from edges where $1 in (source_id, target_id) order by kind', [id])).rows

describe('a note', () => {
  test('has title, text, action points and what is uncertain, and an edge back to the dictation', async () => {
    const { collectionNodeId, mediaNodeId } = await t.arrange(visit, { names: ['Selma Haugen', 'Nordvik'] })
    t.answers(() => ({ status: 200, body: JSON.stringify(recorded), headers: { 'content-type': 'application/json' } }))
    const result = await t.run({ collectionNodeId, mediaNodeId })
    expect(result).toEqual({
      ...{ nodeId: expect.any(String), note: null, stored: 'stored', actionPoints: 2, uncertain: 2, unlike: false },
      ...{ parts: 1, dropped: {}, cut: {} },
    })
    expect(dataOf(t.gateway.requests.at(-1)?.chat)).toEqual({ names: ['Selma Haugen', 'Nordvik'], text: visit })
    expect(await t.stored(result.nodeId)).toMatchObject({
      ...{ kind: 'note', title: reply.title, content: reply.body_markdown },
      dictation: {
        ...{ of: mediaNodeId, actionPoints: reply.action_points, language: 'nb', promptVersion: 'dictation_cleanup/1' },
        // What the speaker took back is gone, and told all the same.
        uncertain: [
          { kind: 'lost_number', text: '86000' },
          { kind: 'unclear', text: 'kravebjelke', reason: reply.uncertain[0].reason },
        ],
      },
    })
    expect(await edgesOf(result.nodeId)).toEqual([
      { source_id: result.nodeId, target_id: mediaNodeId, kind: 'dictation' },
      { source_id: collectionNodeId, target_id: result.nodeId, kind: 'has_note' },
    ])
    expect((await t.pool.query('select from node_access')).rowCount).toBe(0)
  })

  test('of the same dictation is replaced by the next job, unless somebody has edited it', async () => {
    const arranged = await t.arrange()
    const [first, second] = ['Først.', 'Så.'].map((title) => ({ title }))
    t.answers(says(first ?? {}))
    const { nodeId } = await t.run(arranged)
    t.answers(says(second ?? {}))
    expect(await t.run(arranged)).toMatchObject({ nodeId, stored: 'stored' })
    expect(await t.stored(nodeId)).toMatchObject({ title: 'Så.' })
    await t.pool.query(`update nodes set content = 'Rettet.' where id = $1`, [nodeId])
    expect(await t.run(arranged)).toMatchObject({ nodeId, stored: 'suggested' })
    expect(await t.stored(nodeId)).toMatchObject({
      ...{ title: 'Så.', content: 'Rettet.' },
      dictation: { suggestion: { title: 'Så.', content: reply.body_markdown } },
    })
    expect(await edgesOf(nodeId)).toHaveLength(2)
  })

  test('of a text is the job’s own, and the collection’s', async () => {
    const { collectionNodeId } = await t.arrange()
    t.answers(says({}))
    const jobId = randomUUID()
    const { nodeId } = await t.run({ collectionNodeId, jobId, text: visit })
    expect((await t.run({ collectionNodeId, jobId, text: visit })).nodeId).toBe(nodeId)
    expect((await t.run({ collectionNodeId, text: visit })).nodeId).not.toBe(nodeId)
    expect(await edgesOf(nodeId)).toEqual([{ source_id: collectionNodeId, target_id: nodeId, kind: 'contains' }])
    expect((await t.stored(nodeId))?.dictation.of).toBeNull()
  })

  test('tells each number and name that is gone or new, also where the model is sure', async () => {
    const arranged = await t.arrange()
    const body = reply.body_markdown.replace('68 000', '98 000').replace('Per Arne Moe', 'Per Arne Dahl')
    t.answers(says({ title: 'Befaring med Kari', body_markdown: body, uncertain: [] }))
    const { nodeId, unlike } = await t.run(arranged)
    expect(unlike).toBe(false)
    expect((await t.stored(nodeId))?.dictation.uncertain).toEqual([
      { kind: 'new_name', text: 'Kari' },
      ...['86000', '68000'].map((text) => ({ kind: 'lost_number', text })),
      { kind: 'lost_name', text: 'Moe' },
      { kind: 'new_number', text: '98000' },
      { kind: 'new_name', text: 'Dahl' },
    ])
  })

  test('tells of numbers in words, swapped doses, days and a negation', async () => {
    const arranged = await t.arrange('Jeg tror ikke det haster. Kari skal ha to tabletter tre ganger om dagen i fjorten dager fra mandag.')
    t.answers(
      says({
        title: 'Medisin',
        body_markdown: 'Jeg tror det haster. Kari skal ha tre tabletter to ganger om dagen i førti dager fra tirsdag.',
        uncertain: [],
        action_points: [],
      }),
    )
    const { nodeId } = await t.run(arranged)
    expect((await t.stored(nodeId))?.dictation.uncertain.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      ...['lost_number 14', 'lost_day mandag', 'new_number 40', 'new_day tirsdag', 'moved_number 3', 'moved_number 2', 'negation 1 → 0'],
    ])
  })

  test.each([
    ['much shorter', 'Taket på naustet lekker.', 'length'],
    ['much longer', `${visit} ${visit}`, 'length'],
    [
      'in another language',
      visit.replaceAll('ikke', 'ikkje').replaceAll('jeg', 'eg').replaceAll('noe', 'noko').replaceAll('var', 'vart'),
      'language',
    ],
  ])('that is %s says so, and has beside it what was dictated', async (_, body, kind) => {
    const arranged = await t.arrange()
    t.answers(says({ body_markdown: body }))
    const { nodeId, unlike } = await t.run(arranged)
    expect(unlike).toBe(true)
    expect((await t.stored(nodeId))?.dictation).toMatchObject({
      original: visit,
      uncertain: expect.arrayContaining([expect.objectContaining({ kind })]),
    })
  })

  test('leaves out action points and doubts about what nobody dictated', async () => {
    const arranged = await t.arrange()
    const [good] = reply.action_points
    t.answers(
      says({
        action_points: [{ ...good, quote: 'Selma skal ringe politiet' }, { text: ' ', quote: good.quote }, good],
        uncertain: [{ text: 'spøkelse', reason: 'Finnes ikke.' }, ...reply.uncertain],
      }),
    )
    const { nodeId, dropped } = await t.run(arranged)
    expect(dropped).toEqual({ action_points: 2, uncertain: 1 })
    expect((await t.stored(nodeId))?.dictation.actionPoints).toEqual([good])
  })

  test('of a dictation in nynorsk is in nynorsk, by the demo model with every number and name', async () => {
    t.answers(undefined)
    const { nodeId, ...told } = await t.run(await t.arrange(farm))
    expect(told).toMatchObject({ unlike: false, uncertain: 0, dropped: {} })
    expect(await t.stored(nodeId)).toMatchObject({ content: expect.stringContaining('40 meter'), dictation: { language: 'nn' } })
    expect(t.gateway.requests.at(-1)?.chat?.messages[0]?.content).toContain('nynorsk, ikkje bokmål')
  })

  test('of a long dictation is made of parts, all of it, with one title', { timeout: 60_000 }, async () => {
    const long = Array.from({ length: 500 }, (_, n) => `Punkt ${1000 + n}: veien over fjellet kan ikke stenges hver gang det blåser.`).join(
      '\n',
    )
    const arranged = await t.arrange(long)
    t.answers(({ chat }) => {
      const { text, titles } = dataOf(chat)
      const note = { title: `Del ${text?.slice(0, 10)}`, body_markdown: text, uncertain: [], action_points: [] }
      return gatewayReply(JSON.stringify(titles ? { title: 'Veien over fjellet' } : note))
    })
    const { nodeId, parts, ...told } = await t.run(arranged)
    expect(parts).toBeGreaterThan(3)
    expect(told).toMatchObject({ uncertain: 0, unlike: false })
    const stored = await t.stored(nodeId)
    expect(stored?.title).toBe('Veien over fjellet')
    expect(stored?.content.replaceAll('\n\n', '\n')).toBe(long)
  })
})

describe('none is made', () => {
  test('where nothing was dictated, and nobody is asked', async () => {
    const asked = t.gateway.requests.length
    expect(await t.run(await t.arrange(''))).toMatchObject({ nodeId: null, note: 'no speech' })
    expect(t.gateway.requests).toHaveLength(asked)
  })

  test("of another collection's dictation, nor of one that was never transcribed", async () => {
    const asked = t.gateway.requests.length
    const [{ collectionNodeId }, other] = [await t.arrange(), await t.arrange()]
    const foreign = t.run({ collectionNodeId, mediaNodeId: other.mediaNodeId })
    await expect(foreign).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    const { id: mediaNodeId } = await insertNode(t.db, { kind: 'dictation' })
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'private')`, [collectionNodeId, mediaNodeId])
    await expect(t.run({ collectionNodeId, mediaNodeId })).rejects.toMatchObject({ kind: 'permanent', code: 'TRANSCRIPT_MISSING' })
    expect(t.gateway.requests).toHaveLength(asked)
  })

  test.each(['{"title":"Kort', JSON.stringify(reply)])('of a reply that was cut, which is a failure that says so: %#', async (content) => {
    t.answers(() => gatewayReply(content, { finishReason: 'length' }))
    const { collectionNodeId } = await t.arrange()
    const jobId = randomUUID()
    await expect(t.run({ collectionNodeId, jobId, text: 'Setning.' })).rejects.toMatchObject({ kind: 'permanent', code: 'REPLY_CUT' })
    expect((await t.pool.query(`select from nodes where metadata #>> '{dictation,jobId}' = $1`, [jobId])).rowCount).toBe(0)
  })
})
