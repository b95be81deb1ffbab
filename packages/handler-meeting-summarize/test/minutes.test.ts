import { readFile } from 'node:fs/promises'
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
      ...{
        note: null,
        minutes: 'stored',
        decisions: 1,
        actionPoints: 3,
        openQuestions: 1,
        segments: 10,
        parts: 1,
        uncertain: 0,
        folded: 0,
        cut: {},
      },
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
      { owner_ref: 'P2', owner_name: null },
      { owner_ref: 'P1', owner_name: null },
      { owner_ref: 'P1', owner_name: 'Jonas Eide' },
      { owner_ref: null, owner_name: 'Nordvik' },
      { owner_ref: 'P9', owner_name: 'Kong Harald' },
      { owner_ref: null, owner_name: 'jonas eide' },
      { owner_ref: '0190f3c1-7a2b-7c4d-8e5f-66660badcafe', owner_name: null },
      { owner_ref: null, owner_name: 'Eide' },
    ]
    const point = reply.action_points[0]
    const letters = 'abcdefgh'
    t.answers(
      says({ ...reply, action_points: owners.map((owner, n) => ({ ...point, ...owner, text: `Oppgave ${letters[n]} er denne.` })) }),
    )
    const arranged = await t.arrange(board, { settings: { names: ['Nordvik', 'Per Ukjent', 'Stein Vik', 'Første Amanuensis Rud'] } })
    expect((await t.run(arranged, meeting)).dropped).toMatchObject({ owners: 6 })
    expect((await t.stored(arranged))?.content.actionPoints.map(({ owner }) => owner)).toEqual([
      ...['Jonas Eide', null, null, null, null, 'Jonas Eide', null, null],
    ])
    const { people } = JSON.parse(t.gateway.requests.at(-1)?.chat?.messages[1]?.content.split('\n')[1] ?? '')
    expect(people).toEqual([
      { ref: 'P1', name: 'Selma Haugen' },
      { ref: 'P2', name: 'Jonas Eide' },
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

  test('leave out what fewer than three words bear out, a neighbour says, or the quotes have not', async () => {
    const budget = 'da er budsjettet vedtatt med 240 000 kroner til nye årer'
    const decision = (text: string, segment: number, quote: string) => ({ text, evidence: [{ segment, quote }] })
    t.answers(
      says({
        ...reply,
        decisions: [
          decision('Styret vedtok å selge naustet.', 4, 'er'),
          decision('Budsjettet er vedtatt med 2 400 000 kroner.', 4, budget),
          decision('Budsjettet er vedtatt.', 4, '000 kroner til nye årer'),
          decision('Budsjettet er vedtatt av Harald.', 4, budget),
          decision('Budsjettet er vedtatt fredag.', 4, budget),
          decision('Budsjettet er vedtatt.', 5, budget),
          ...[decision('Budsjettet er vedtatt.', 4, budget), decision('Da er budsjettet vedtatt', 4, budget)],
        ],
        action_points: [],
        attendees_mentioned: ['Jonas Gahr Støre', 'Selma Lagerlöf', 'Budsjettet', 'Neste Uke', 'Marit', 'Nordvik'],
      }),
    )
    const arranged = await t.arrange()
    const result = await t.run(arranged, { meetingDate: '2026-12-01' })
    expect(result).toMatchObject({ decisions: 1, folded: 1, dropped: { decisions: 6, evidence: 3, attendees: 5 } })
    expect((await t.stored(arranged))?.content.attendees).toEqual(['Nordvik'])
  })

  test.each([
    ['Jonas gjør det innen fredag neste uke', 'innen fredag', null],
    ['Jonas gjør det, men ikke før fredag', 'før fredag', null],
    ['Jonas gjør det fredag om to uker', 'fredag', null],
    ['Jonas gjør det innen fredag', 'innen fredag', '2026-12-04'],
  ])('have no day of less than was said: %s', async (said, due_text, dueDate) => {
    t.answers(
      says({
        ...reply,
        action_points: [{ ...reply.action_points[0], text: 'Gjøre det.', due_text, evidence: [{ segment: 1, quote: said }] }],
      }),
    )
    const arranged = await t.arrange([said])
    await t.run(arranged, meeting)
    expect((await t.stored(arranged))?.content.actionPoints).toMatchObject([{ dueText: due_text, dueDate }])
  })

  test("take no other segment's day", async () => {
    const evidence = [{ segment: 6, quote: 'jeg sender tre tilbud til styret' }]
    t.answers(says({ ...reply, action_points: [{ ...reply.action_points[0], owner_ref: null, owner_name: null, evidence }] }))
    const arranged = await t.arrange()
    expect((await t.run(arranged, meeting)).dropped).toMatchObject({ due_texts: 1, due_dates: 1 })
    expect((await t.stored(arranged))?.content.actionPoints).toMatchObject([{ dueText: null, dueDate: null }])
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

  test.each([
    ['nn → nb', 'Jeg vet ikke hva vi skal gjøre nå, men hun kommer hjem.'],
    ['nn → ?', 'We do not know what we are to do with this, and she is on her way.'],
  ])('that came back in another language say so: %s', async (text, summary) => {
    t.answers(says({ summary, decisions: [], action_points: [], open_questions: [], attendees_mentioned: [] }))
    const arranged = await t.arrange(club)
    expect(await t.run(arranged)).toMatchObject({ uncertain: 1 })
    expect((await t.stored(arranged))?.content).toMatchObject({ uncertain: [{ kind: 'language', text }] })
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

  test('are not stored of a meeting that left the collection meanwhile', async () => {
    const arranged = await t.arrange()
    t.answers(async () => {
      await t.pool.query('delete from edges where target_id = $1', [arranged.mediaNodeId])
      return gatewayReply(JSON.stringify(reply))
    })
    await expect(t.run(arranged, meeting)).rejects.toMatchObject({ kind: 'permanent', code: 'NODE_NOT_IN_COLLECTION' })
    expect(await t.stored(arranged)).toBeUndefined()
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
