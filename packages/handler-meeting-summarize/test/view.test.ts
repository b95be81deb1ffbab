import { runResultView } from '@sidelinja/jobs-core/testing'
import { gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { meetingSummarizeView } from '../src/view.ts'
import { type Arranged, setup } from './support.ts'

const jobId = '01900000-0000-7000-8000-0000000000b1'
const evidence = [{ segment: 4, quote: 'da er budsjettet vedtatt' }]
const reply = {
  ...{
    summary: 'Budsjettet er vedtatt.',
    decisions: [{ text: 'Budsjettet ble vedtatt.', evidence }],
    open_questions: [],
    attendees_mentioned: [],
  },
  action_points: [
    {
      text: 'Hente tilbud.',
      owner_ref: 'P1',
      owner_name: null,
      due_text: 'innen fredag',
      due_date: null,
      evidence: [{ segment: 5, quote: 'tilbud på årene innen fredag' }],
    },
  ],
}
let t: Awaited<ReturnType<typeof setup>>
let arranged: Arranged
beforeAll(async () => {
  t = await setup(inject('server'))
  t.answers(() => gatewayReply(JSON.stringify(reply)))
  arranged = await t.arrange()
  await t.run(arranged, { meetingDate: '2026-12-01', attendees: ['Jonas Eide'] })
  await t.pool.query('update meeting_minutes set job_id = $1', [jobId])
})
afterAll(() => t.drop())

const show = (options: object = {}) =>
  runResultView(meetingSummarizeView, {
    ...{ db: t.db, collectionNodeId: arranged.collectionNodeId, jobId, payload: { mediaNodeId: arranged.mediaNodeId } },
    ...{ result: { note: null }, ...options },
  })

test('minutes are shown as they stand, each point with its words, and what is empty is left out', async () => {
  expect(await show()).toEqual([
    { kind: 'text', title: expect.objectContaining({ nn: 'Samandrag' }), text: 'Budsjettet er vedtatt.', language: 'nb' },
    {
      ...{ kind: 'list', title: { nb: 'Vedtak', nn: 'Vedtak', en: 'Decisions' } },
      items: [{ text: 'Budsjettet ble vedtatt.', quotes: [{ text: 'da er budsjettet vedtatt', startMs: 15_000 }] }],
    },
    {
      ...{ kind: 'list', title: expect.objectContaining({ nn: 'Oppgåver' }) },
      items: [
        {
          text: 'Hente tilbud.',
          who: 'Jonas Eide',
          note: '2026-12-04',
          quotes: [{ text: 'tilbud på årene innen fredag', startMs: 20_000 }],
        },
      ],
    },
  ])
})

test('it says where another job has written them since, where somebody has edited them, and where nobody spoke', async () => {
  expect((await show({ jobId: arranged.mediaNodeId })).at(-1)).toMatchObject({ kind: 'note', tone: 'warn' })
  await t.pool.query(`update meeting_minutes set suggestion = '{}'`)
  expect((await show())[0]).toMatchObject({ kind: 'note', text: { en: expect.stringContaining('edited') } })
  expect(await show({ result: { note: 'no speech' } })).toMatchObject([{ kind: 'note', text: { en: 'Nobody speaks in the recording.' } }])
})

test('nothing of another collection, and nothing of another shape', async () => {
  expect(await show({ collectionNodeId: arranged.mediaNodeId })).toEqual([])
  expect(await show({ result: null })).toEqual([])
})

test('what came back in another language says so', async () => {
  await t.pool.query(`update meeting_minutes set content = content || '{"uncertain": [{"kind": "language", "text": "nn → nb"}]}'`)
  expect(await show()).toContainEqual({
    kind: 'note',
    tone: 'warn',
    text: expect.objectContaining({ nn: expect.stringContaining('målform') }),
  })
})
