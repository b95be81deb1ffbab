import { readFile } from 'node:fs/promises'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { board, club } from './samples.ts'
import { setup } from './support.ts'

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const recorded = JSON.parse(await readFile(new URL('fixtures/board-reply.json', import.meta.url), 'utf8'))
const reply = JSON.parse(recorded.choices[0].message.content)
const says = (content: object) => () => gatewayReply(JSON.stringify(content))
const meeting = { meetingDate: '2026-12-01', attendees: ['Selma Haugen', 'Jonas Eide'] }

describe('minutes', () => {
  test('have what was decided, who does what until when, and what is open, each with its words', async () => {
    const arranged = await t.arrange()
    t.answers(() => ({ status: 200, body: JSON.stringify(recorded), headers: { 'content-type': 'application/json' } }))
    const result = await t.run(arranged, meeting)
    expect(result).toEqual({
      ...{ note: null, minutes: 'stored', decisions: 1, actionPoints: 3, openQuestions: 1, segments: 10, parts: 1, cut: {} },
      // "Før 15. januar" is the day before, and next week is no day.
      dropped: { due_dates: 2 },
    })
    const stored = await t.stored(arranged)
    expect(stored).toMatchObject({ language: 'nb', model: 'sidelinja/resonnering', promptVersion: 'meeting_summarize/1', suggestion: null })
    expect(stored?.content).toMatchObject({
      meetingDate: '2026-12-01',
      decisions: [{ text: expect.stringContaining('240 000'), evidence: [{ segment: 4, startMs: 15_000 }] }],
      actionPoints: [
        { owner: 'Jonas Eide', dueDate: '2026-12-04', dueText: 'innen fredag', evidence: [{ segment: 5 }, { segment: 6 }] },
        { owner: 'Selma Haugen', dueDate: '2027-01-14', dueText: 'før 15. januar' },
        { owner: null, dueDate: null, dueText: 'neste uke' },
      ],
      openQuestions: [{ evidence: [{ segment: 8, quote: 'vi vet fortsatt ikke hvem som skal betale for det' }] }],
      attendees: ['Selma Haugen', 'Jonas Eide'],
    })
  })

  test('compute no due date without the day of the meeting, which its node may tell', async () => {
    t.answers(says(reply))
    const dates = async (metadata: object) => {
      const arranged = await t.arrange(board, { metadata })
      await t.run(arranged)
      return (await t.stored(arranged))?.content.actionPoints.map(({ owner, dueDate }) => [owner, dueDate])
    }
    expect(await dates({})).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ])
    expect(await dates({ meeting: { date: 'i går', attendees: 7 } })).toEqual(await dates({}))
    const known = { meeting: { date: '2026-12-01', attendees: ['Jonas Eide'] } }
    expect(await dates(known)).toEqual([
      ['Jonas Eide', '2026-12-04'],
      [null, '2027-01-14'],
      [null, null],
    ])
  })

  test('name as owners none but who is known', async () => {
    const owners = [
      { owner_ref: 'P1', owner_name: null },
      { owner_ref: 'P9', owner_name: 'Kong Harald' },
      { owner_ref: null, owner_name: 'jonas eide' },
      { owner_ref: '0190f3c1-7a2b-7c4d-8e5f-66660badcafe', owner_name: null },
      { owner_ref: null, owner_name: 'Eide' },
    ]
    const point = reply.action_points[0]
    t.answers(says({ ...reply, action_points: owners.map((owner, n) => ({ ...point, ...owner, text: `Oppgave ${n} er denne.` })) }))
    const arranged = await t.arrange(board, { settings: { names: ['Nordvik', 'Per Ukjent'] } })
    expect((await t.run(arranged, meeting)).dropped).toMatchObject({ owners: 3 })
    expect((await t.stored(arranged))?.content.actionPoints.map(({ owner }) => owner)).toEqual([
      ...['Selma Haugen', null, 'Jonas Eide', null, null],
    ])
    const { people } = JSON.parse(t.gateway.requests.at(-1)?.chat?.messages[1]?.content.split('\n')[1] ?? '')
    expect(people).toEqual([
      { ref: 'P1', name: 'Selma Haugen' },
      { ref: 'P2', name: 'Jonas Eide' },
      { ref: 'P3', name: 'Nordvik' },
    ])
  })

  test('leave out and count what nobody said', async () => {
    const evidence = [{ segment: 4, quote: 'budsjettet er forkastet' }]
    const far = [{ segment: 9, quote: 'da er budsjettet vedtatt' }]
    const good = reply.decisions[0].evidence
    t.answers(
      says({
        ...reply,
        decisions: [
          ...reply.decisions,
          { text: 'Budsjettet ble forkastet.', evidence },
          { text: 'Ingen belegg.', evidence: [] },
          { text: ' ', evidence: good },
        ],
        action_points: [
          { ...reply.action_points[0], evidence: far },
          { ...reply.action_points[0], due_text: 'innen torsdag', due_date: '2026-12-03' },
        ],
        open_questions: [{ text: 'Finnes ikke.', evidence: [{ segment: 99, quote: 'taket lekker' }] }],
        attendees_mentioned: ['Kong Harald', 'Selma'],
      }),
    )
    const arranged = await t.arrange()
    const result = await t.run(arranged, meeting)
    expect(result.dropped).toEqual({
      ...{ decisions: 3, action_points: 1, open_questions: 1, evidence: 3, due_texts: 1, due_dates: 1, attendees: 1 },
    })
    const { content } = (await t.stored(arranged)) ?? {}
    expect([content?.decisions.length, content?.openQuestions, content?.attendees]).toEqual([1, [], ['Selma Haugen']])
    expect(content?.actionPoints).toMatchObject([{ owner: 'Jonas Eide', dueDate: null, dueText: null }])
  })

  test('of a meeting in nynorsk are in nynorsk, by the demo model only of what was said', async () => {
    t.answers(undefined)
    const arranged = await t.arrange(club, { settings: { names: ['Olav Tveit', 'Nordvik'] } })
    expect((await t.run(arranged, { meetingDate: '2026-12-01' })).dropped).toEqual({})
    const stored = await t.stored(arranged)
    expect([stored?.language, stored?.content.decisions.length]).toEqual(['nn', 2])
    expect(stored?.content.actionPoints).toContainEqual(
      expect.objectContaining({ text: 'Olav skal køyre bøkene til skulen i morgon.', owner: 'Olav Tveit' }),
    )
    expect(t.gateway.requests.at(-1)?.chat?.messages[0]?.content).toContain('nynorsk, ikkje bokmål')
  })

  test('that somebody has edited stay, and the new ones stand beside them', async () => {
    const arranged = await t.arrange()
    t.answers(says(reply))
    await t.run(arranged, meeting)
    await t.pool.query(
      `update meeting_minutes set content = jsonb_set(content, '{summary}', '"Rettet av Selma."') where media_node_id = $1`,
      [arranged.mediaNodeId],
    )
    t.answers(says({ ...reply, summary: 'Et nytt sammendrag.' }))
    for (let n = 0; n < 2; n++) expect((await t.run(arranged, meeting)).minutes).toBe('suggested')
    expect(await t.stored(arranged)).toMatchObject({
      content: { summary: 'Rettet av Selma.' },
      suggestion: { summary: 'Et nytt sammendrag.' },
    })
  })

  test('are followed by the jobs that payload or collection name', async () => {
    t.answers(says(reply))
    const arranged = await t.arrange(board, { settings: { followUps: { meeting_summarize: ['summarize_communication'] } } })
    await t.run(arranged, { audioPath: 'moter/styret.mp3' })
    const { rows } = await t.pool.query('select job_type, payload from job_queue where collection_node_id = $1', [
      arranged.collectionNodeId,
    ])
    expect(rows).toEqual([
      { job_type: 'summarize_communication', payload: { mediaNodeId: arranged.mediaNodeId, audioPath: 'moter/styret.mp3' } },
    ])
  })
})

describe('nobody is asked', () => {
  test('about a meeting in which nothing is said', async () => {
    const asked = t.gateway.requests.length
    const arranged = await t.arrange([])
    expect(await t.run(arranged)).toMatchObject({ note: 'no speech', minutes: null, parts: 0 })
    expect([await t.stored(arranged), t.gateway.requests.length]).toEqual([undefined, asked])
  })

  test('about one of another collection, nor one that was never transcribed', async () => {
    const asked = t.gateway.requests.length
    const [mine, other] = [await t.arrange(), await t.arrange()]
    const foreign = t.run({ ...mine, mediaNodeId: other.mediaNodeId })
    await expect(foreign).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    const { id: mediaNodeId } = await insertNode(t.db, { kind: 'meeting' })
    await t.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'contains')`, [mine.collectionNodeId, mediaNodeId])
    await expect(t.run({ ...mine, mediaNodeId })).rejects.toMatchObject({ kind: 'permanent', code: 'TRANSCRIPT_MISSING' })
    expect(t.gateway.requests).toHaveLength(asked)
  })
})

test.each(['{"summary":"Kort', JSON.stringify(reply)])(
  'a reply that was cut is a failure that says so, and leaves nothing: %#',
  async (content) => {
    t.answers(() => gatewayReply(content, { finishReason: 'length' }))
    const arranged = await t.arrange(['Bare én setning.'])
    await expect(t.run(arranged)).rejects.toMatchObject({ kind: 'permanent', code: 'REPLY_CUT' })
    expect(await t.stored(arranged)).toBeUndefined()
  },
)
