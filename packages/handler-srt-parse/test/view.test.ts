import { createTestDatabase, insertNode, runResultView, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { tidySegments } from '@sidelinja/jobs-kit'
import { replaceSegments } from '@sidelinja/jobs-kit/storage'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Result } from '../src/job.ts'
import { srtParseView } from '../src/view.ts'

let database: TestDatabase
let [collectionNodeId, other, mediaNodeId] = ['', '', '']

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  const insert = async () => (await insertNode(database.db)).id
  ;[collectionNodeId, other, mediaNodeId] = [await insert(), await insert(), await insert()]
  const segments = tidySegments([{ startMs: 0, endMs: 900, text: 'Hei' }])
  await replaceSegments(database.db, collectionNodeId, mediaNodeId, { jobId: null, language: 'nn', segments })
})
afterAll(() => database.drop())

const told: Result = {
  ...{ source: 'file', segments: 1, empty: 2, mended: 3, suspect: {}, format: 'vtt', encoding: 'utf-8', notes: [], files: {} },
}
const show = (change: Partial<Result> = {}, collection = collectionNodeId) =>
  runResultView(srtParseView, {
    ...{ db: database.db, collectionNodeId: collection, payload: { mediaNodeId, path: 'a.vtt' }, result: { ...told, ...change } },
  })

test('the transcript is shown, with how much had to be mended', async () => {
  expect(await show()).toMatchObject([
    { kind: 'facts', rows: [{ value: 1 }, { value: 3 }, { value: 2 }, { value: 'VTT' }] },
    { kind: 'transcript', language: 'nn', segments: [{ text: 'Hei' }] },
  ])
})

test('a file that breaks off is told, and one made of a transcript has no format', async () => {
  const [note, facts] = await show({ notes: ['cut_off', 'comments'], format: null })
  expect(note).toMatchObject({ kind: 'note', tone: 'warn' })
  expect(facts).toMatchObject({ rows: [{ value: 1 }, { value: 3 }, { value: 2 }] })
})

test('that of another collection is not shown', async () => {
  expect((await show({}, other)).map(({ kind }) => kind)).toEqual(['facts'])
})
