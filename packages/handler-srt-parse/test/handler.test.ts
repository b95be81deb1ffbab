import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices, tidySegments } from '@sidelinja/jobs-kit'
import { readSubtitles, replaceSegments } from '@sidelinja/jobs-kit/storage'
import { describeHandler } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import srtParse from '../src/index.ts'
import { fixtures, setup } from './support.ts'

describeHandler({
  package: srtParse,
  packageFolder: new URL('..', import.meta.url),
  server: inject('server'),
  createServices({ db }, mediaRoot) {
    const { media, collections } = createServices({ db, mediaRoot })
    return { media, collections }
  },
  async arrange({ db }, mediaRoot) {
    await copyFile(join(fixtures, '07-overlap.srt'), join(mediaRoot, 'ep001.srt'))
    const [collection, medium] = [await insertNode(db), await insertNode(db)]
    return { collectionNodeId: collection.id, payload: { mediaNodeId: medium.id, path: 'ep001.srt' } }
  },
  badPayloads: [
    {},
    { mediaNodeId: 'ep001' },
    { mediaNodeId: randomUUID(), path: '' },
    { mediaNodeId: randomUUID(), path: 'a'.repeat(501) },
    { mediaNodeId: randomUUID(), text: 'a'.repeat(60_001) },
    { mediaNodeId: randomUUID(), text: 'a', path: 'a.srt' },
    { mediaNodeId: randomUUID(), text: 7 },
    { mediaNodeId: randomUUID(), language: 'norsk bokmål' },
    { mediaNodeId: randomUUID(), durationMs: 0 },
    { mediaNodeId: randomUUID(), followUps: ['Generate'] },
  ],
  ignoreColumns: [
    'media_subtitles.updated_at',
    'media_subtitles.job_id',
    'transcription_segments.job_id',
    'media_transcripts.job_id',
    'media_transcripts.updated_at',
  ],
})

let t: Awaited<ReturnType<typeof setup>>
beforeAll(async () => {
  t = await setup(inject('server'))
})
afterAll(() => t.drop())

const cue = (seconds: number, text: string) => `00:00:0${seconds},000 --> 00:00:0${seconds + 1},000\n${text}\n\n`
const filesOf = async (mediaNodeId: string) => {
  const formats = ['srt', 'vtt', 'txt', 'json'] as const
  return Promise.all(formats.map(async (format) => (await readSubtitles(t.db, t.collection, mediaNodeId, format))?.content))
}

test('text becomes segments and four files', async () => {
  const mediaNodeId = await t.insert()
  const result = await t.run({ mediaNodeId, text: `${cue(0, '[Eva]: Hei')}${cue(1, '1 < 2')}` })
  expect(result).toMatchObject({ source: 'text', segments: 2, encoding: null, files: { srt: 82, vtt: 89, txt: 15 } })
  expect(await t.segments(mediaNodeId)).toMatchObject([
    { startMs: 0, endMs: 1000, text: 'Hei', speaker: 'Eva', language: 'nb' },
    { startMs: 1000, endMs: 2000, text: '1 < 2', speaker: null, language: 'nb' },
  ])
  expect(await filesOf(mediaNodeId)).toEqual([
    '1\n00:00:00,000 --> 00:00:01,000\n[Eva]: Hei\n\n2\n00:00:01,000 --> 00:00:02,000\n1 < 2\n',
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n<v Eva>Hei\n\n00:00:01.000 --> 00:00:02.000\n1 &lt; 2\n',
    'Eva: Hei\n1 < 2\n',
    '{"version":"1.0.0","segments":[{"speaker":"Eva","startTime":0,"endTime":1,"body":"Hei"},{"startTime":1,"endTime":2,"body":"1 < 2"}]}\n',
  ])
})

test('a second file replaces the first one, whole', async () => {
  const mediaNodeId = await t.insert()
  await t.run({ mediaNodeId, text: `${cue(0, 'en')}${cue(1, 'to')}${cue(2, 'tre')}` })
  await t.run({ mediaNodeId, text: cue(0, 'ny') })
  expect((await t.segments(mediaNodeId)).map(({ text }) => text)).toEqual(['ny'])
  expect((await filesOf(mediaNodeId))[2]).toBe('ny\n')
})

test('after a transcription only the files are made, of what is there', async () => {
  const mediaNodeId = await t.insert()
  await t.run({ mediaNodeId, text: `${cue(0, 'Hei')}${cue(0, 'og hå')}`, language: 'nn' })
  const segments = await t.segments(mediaNodeId)
  await t.query('delete from media_subtitles where media_node_id = $1', [mediaNodeId])
  // As a transcription enqueues it.
  expect(await t.run({ mediaNodeId, audioPath: 'ep001.mp3' })).toMatchObject({
    source: 'transcript',
    segments: 2,
    mended: 2,
    suspect: { overlap: 2 },
    format: null,
  })
  expect(await t.segments(mediaNodeId)).toEqual(segments)
  expect((await filesOf(mediaNodeId))[2]).toBe('Hei\nog hå\n')
  expect((await readSubtitles(t.db, t.collection, mediaNodeId, 'vtt'))?.language).toBe('nn')
})

test('where nothing was said the files are empty, and stay so until something is', async () => {
  const mediaNodeId = await t.insert()
  expect(await t.run({ mediaNodeId })).toMatchObject({ source: 'transcript', segments: 0 })
  expect(await filesOf(mediaNodeId)).toEqual(['', 'WEBVTT\n', '', '{"version":"1.0.0","segments":[]}\n'])
  expect(await t.run({ mediaNodeId, text: '' })).toMatchObject({ source: 'text', segments: 0 })
})

test("another collection's transcript of the same medium is neither read nor changed", async () => {
  const [mediaNodeId, other] = [await t.insert(), await t.insert()]
  await t.run({ mediaNodeId, text: cue(0, 'hemmelig') }, other)
  expect(await t.run({ mediaNodeId })).toMatchObject({ segments: 0 })
  await t.run({ mediaNodeId, text: cue(0, 'vårt') })
  expect((await readSubtitles(t.db, other, mediaNodeId, 'txt'))?.content).toBe('hemmelig\n')
})

test('language: of the payload, else of the collection', async () => {
  const [mediaNodeId, english] = [await t.insert(), await t.insert({ language: 'en' })]
  const languages = async () =>
    (await t.query('select language from transcription_segments where media_node_id = $1', [mediaNodeId])).rows.map((row) => row.language)
  await t.run({ mediaNodeId, text: cue(0, 'a') }, english)
  expect(await languages()).toEqual(['en'])
  await t.run({ mediaNodeId, text: cue(0, 'a'), language: 'nn-NO' }, english)
  expect(await languages()).toEqual(['nn-NO'])
})

test('follow-ups: those of the payload, else of the collection, with what they need', async () => {
  const collection = await t.insert({ followUps: { srt_parse: ['generate_embeddings'] } })
  const mediaNodeId = await t.insert()
  const followUps = async () => {
    const { rows } = await t.query('select job_type, payload from job_queue where collection_node_id = $1 order by sequence', [collection])
    return rows.map((row) => [row.job_type, row.payload])
  }
  await t.run({ mediaNodeId, text: cue(0, 'a') }, collection)
  expect(await followUps()).toEqual([['generate_embeddings', { mediaNodeId }]])
  await t.run({ mediaNodeId, audioPath: 'a.mp3', followUps: ['openrouter_analyze'] }, collection)
  expect((await followUps())[1]).toEqual(['openrouter_analyze', { mediaNodeId, audioPath: 'a.mp3' }])
  await t.run({ mediaNodeId, followUps: [] }, collection)
  expect(await followUps()).toHaveLength(2)
  await expect(t.run({ mediaNodeId, followUps: ['srt_parse'] }, collection)).rejects.toMatchObject({
    code: 'FOLLOW_UP_LOOP',
    kind: 'permanent',
  })
})

test('what comes after the end of the recording is told', async () => {
  const mediaNodeId = await t.insert()
  const result = await t.run({ mediaNodeId, text: `${cue(0, 'a')}${cue(5, 'b')}`, durationMs: 3000 })
  expect(result).toMatchObject({ segments: 2, mended: 1, suspect: { past_end: 1, zero_length: 1 } })
})

test('100,000 cues in 10 MB', async () => {
  const mediaNodeId = await t.insert()
  const time = (ms: number) => new Date(ms).toISOString().slice(11, 23)
  const line = 'Her er det sagt mye, og mer skal det bli. '.repeat(2)
  await t.writeFile(
    'large.srt',
    Array.from({ length: 100_000 }, (_, n) => `${n}\n${time(n * 800)} --> ${time(n * 800 + 700)}\n${line}${n}\n\n`).join(''),
  )
  expect(await t.run({ mediaNodeId, path: 'large.srt' })).toMatchObject({ segments: 100_000, mended: 0, suspect: {} })
  expect((await t.query('select count(*)::int from transcription_segments where media_node_id = $1', [mediaNodeId])).rows).toEqual([
    { count: 100_000 },
  ])
}, 120_000)

test.each([
  ['more than 16 MiB', { path: 'huge.srt' }, 'SUBTITLES_TOO_LARGE'],
  ['a file that is not there', { path: 'nope.srt' }, 'FILE_MISSING'],
  ['a folder', { path: '.' }, 'FILE_PATH_INVALID'],
  ['a path that leaves the root', { path: '../ep001.srt' }, 'FILE_PATH_TRAVERSAL'],
  ['a text that is none', { text: 'Bad Gateway' }, 'SUBTITLES_INVALID'],
  ['a medium that is gone', { text: cue(0, 'a'), mediaNodeId: randomUUID() }, 'MEDIA_NODE_MISSING'],
  ['a medium that is gone, after a transcription', { mediaNodeId: randomUUID() }, 'MEDIA_NODE_MISSING'],
])('permanent: %s', async (_name, payload, code) => {
  await t.writeFile('huge.srt', new Uint8Array(16 * 1024 * 1024 + 1))
  const mediaNodeId = await t.insert()
  await expect(t.run({ mediaNodeId, ...payload })).rejects.toMatchObject({ code, kind: 'permanent' })
})

test('files made anew while a transcript is being replaced are those of the new one', async () => {
  const mediaNodeId = await t.insert()
  await t.run({ mediaNodeId, text: cue(0, 'gammel') })
  const segments = tidySegments([{ startMs: 0, endMs: 1000, text: 'ny' }])
  let making: Promise<unknown> | undefined
  await t.db.transaction().execute(async (trx) => {
    await replaceSegments(trx, t.collection, mediaNodeId, { jobId: null, language: 'nb', segments })
    making = t.run({ mediaNodeId })
    await t.untilSomebodyWaits(making)
  })
  await making
  expect((await filesOf(mediaNodeId))[2]).toBe('ny\n')
})
