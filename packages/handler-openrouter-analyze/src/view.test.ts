import type { JsonValue } from '@sidelinja/jobs-core'
import { expect, test } from 'vitest'
import type { Analysis } from './job.ts'
import { openrouterAnalyzeView } from './view.ts'

const id = '01900000-0000-7000-8000-000000000001'
const partsOf = (result: JsonValue) => {
  const job = { id, collection_node_id: id, payload: { mediaNodeId: id }, result }
  return openrouterAnalyzeView.read({ db: undefined as never, job, signal: new AbortController().signal })
}
const analysis: Analysis = {
  ...{ title: 'Ferja', description: 'Om ferja.', summary: 'Lenger om ferja.', language: 'nb' },
  chapters: [{ startMs: 0, title: 'Begynnelsen' }],
  topics: [
    { nodeId: id, name: 'samferdsel', confidence: 0.9 },
    { nodeId: null, name: 'fylke', confidence: 0.5 },
  ],
  people: [{ name: 'Kari', role: 'skipper', startMs: 7 }],
  quotes: [],
}
const told = { analysis, note: null, segments: 3, parts: 1, dropped: {}, cut: {} }

test('an analysis begins with what listeners see, and lists that are empty are left out', async () => {
  expect(await partsOf(told)).toEqual([
    { kind: 'text', title: 'Ferja', text: 'Om ferja.', language: 'nb' },
    { kind: 'text', title: expect.objectContaining({ nb: 'Sammendrag' }), text: 'Lenger om ferja.', language: 'nb' },
    { kind: 'list', title: expect.objectContaining({ en: 'Chapters' }), items: [{ startMs: 0, text: 'Begynnelsen' }] },
    {
      ...{ kind: 'list', title: expect.objectContaining({ en: 'Topics' }) },
      items: [{ text: 'samferdsel', mark: { text: expect.objectContaining({ en: 'known already' }), tone: 'good' } }, { text: 'fylke' }],
    },
    { kind: 'list', title: expect.objectContaining({ en: 'People' }), items: [{ text: 'Kari', note: 'skipper', startMs: 7 }] },
  ])
})

test('what the model said and the transcript does not bear out is counted', async () => {
  const parts = await partsOf({ ...told, dropped: { quotes: 2, people: 1 } })
  expect(parts.at(-1)).toMatchObject({ kind: 'note', text: { en: 'Left out because the transcript does not bear it out: 3.' } })
})

test('without speech it says so', async () => {
  expect(await partsOf({ ...told, analysis: null })).toMatchObject([{ kind: 'note', text: { en: 'Nobody speaks in the recording.' } }])
})

test('a result of another shape has nothing to draw', async () => {
  expect(await partsOf({ analysis: { title: 'Ferja' } })).toEqual([])
  expect(await partsOf(null)).toEqual([])
})
