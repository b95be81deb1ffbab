import type { JsonValue } from '@sidelinja/jobs-core'
import { createTestDatabase, insertNode, runResultView, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { tidySegments } from '@sidelinja/jobs-kit'
import { replaceSegments, upsertWaveforms } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { whisperTranscribeView } from '../src/view.ts'

const jobId = '01900000-0000-7000-8000-0000000000b1'
let database: TestDatabase
let [collectionNodeId, other, mediaNodeId] = ['', '', '']

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  const insert = async () => (await insertNode(database.db)).id
  ;[collectionNodeId, other, mediaNodeId] = [await insert(), await insert(), await insert()]
  const segments = tidySegments([{ startMs: 0, endMs: 900, text: 'Hei' }])
  await replaceSegments(database.db, collectionNodeId, mediaNodeId, { jobId, language: 'nb', segments })
})
afterAll(() => database.drop())

const heard = { segments: 1, durationMs: 1_000, language: 'nb', note: null, pieces: 1, gentlePieces: 0, cutShort: false, suspect: {} }
const show = (result: JsonValue = heard, options: { collectionNodeId?: string; payload?: JsonValue } = {}) =>
  runResultView(whisperTranscribeView, {
    ...{ db: database.db, collectionNodeId, jobId, payload: { audioPath: 'a.mp3', mediaNodeId }, result },
    ...options,
  })
const kinds = async (shown: ReturnType<typeof show>) => (await shown).map(({ kind }) => kind)

test('a transcript is shown, below the waveform where there is one', async () => {
  expect(await show()).toMatchObject([
    { kind: 'facts', rows: [{ value: { durationMs: 1_000 } }, { value: 'nb' }, { value: 1 }] },
    { kind: 'transcript', language: 'nb', segments: [{ text: 'Hei' }] },
  ])
  const content = JSON.stringify({ version: 2, channels: 1, bits: 8, data: [-9, 9] })
  await upsertWaveforms(database.db, collectionNodeId, mediaNodeId, {
    jobId: null,
    durationMs: 1_000,
    levels: [{ level: 'overview', content }],
  })
  expect(await kinds(show())).toEqual(['facts', 'waveform', 'transcript'])
})

test('silence and a file that breaks off are told', async () => {
  expect((await show({ ...heard, segments: 0, cutShort: true })).slice(0, 2)).toMatchObject([
    { kind: 'note', tone: 'neutral' },
    { kind: 'note', tone: 'warn' },
  ])
})

test('that of another collection is not shown, nor what an older release left in another shape', async () => {
  expect(await kinds(show(heard, { collectionNodeId: other }))).toEqual(['facts'])
  expect(await kinds(show({ text: 'Hei' }))).toEqual(['waveform', 'transcript'])
})

test('a commit tells where the file is', async () => {
  const payload = { commitTranscriptOf: mediaNodeId, fileName: 'ep001' }
  const committed = { repository: 'kari/podkast', path: 'ep001.srt', outcome: 'updated' }
  expect(await show(committed, { payload })).toMatchObject([
    { kind: 'facts', rows: [{ value: 'kari/podkast' }, { value: 'ep001.srt' }, { value: { en: 'a new version' } }] },
  ])
  expect(await show(null, { payload })).toEqual([])
})
