import { createTestDatabase, insertNode, runResultView, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { upsertWaveforms } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { generateWaveformView } from '../src/view.ts'

const jobId = '01900000-0000-7000-8000-0000000000b1'
let database: TestDatabase
let [collectionNodeId, other, mediaNodeId] = ['', '', '']

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  const insert = async () => (await insertNode(database.db)).id
  ;[collectionNodeId, other, mediaNodeId] = [await insert(), await insert(), await insert()]
  const content = JSON.stringify({ version: 2, channels: 1, bits: 8, data: [-9, 9] })
  await upsertWaveforms(database.db, collectionNodeId, mediaNodeId, { jobId, durationMs: 5_000, levels: [{ level: 'overview', content }] })
})
afterAll(() => database.drop())

const show = (options: { collectionNodeId?: string; jobId?: string; cutShort?: boolean } = {}) =>
  runResultView(generateWaveformView, {
    ...{ db: database.db, collectionNodeId, jobId, payload: { mediaNodeId, audioPath: 'a.mp3' } },
    result: { durationMs: 5_000, sampleRate: 8_000, cutShort: options.cutShort ?? false },
    ...options,
  })

test('a waveform is drawn, with what is known of the sound', async () => {
  expect(await show()).toMatchObject([
    { kind: 'waveform', durationMs: 5_000, peaks: [-9, 9] },
    { kind: 'facts', rows: [{ value: 8_000 }] },
  ])
})

test('what is missing, and who else has drawn it since, is said', async () => {
  expect((await show({ cutShort: true })).map(({ kind }) => kind)).toEqual(['waveform', 'note', 'facts'])
  expect((await show({ jobId: collectionNodeId })).map(({ kind }) => kind)).toEqual(['note', 'waveform', 'facts'])
})

test('that of another collection is not shown', async () => {
  expect((await show({ collectionNodeId: other })).map(({ kind }) => kind)).toEqual(['facts'])
})
