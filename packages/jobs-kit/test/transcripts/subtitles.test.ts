import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readSubtitles, replaceSubtitles } from '../../src/storage/index.ts'
import { setUpTranscripts } from './support.ts'

let t: Awaited<ReturnType<typeof setUpTranscripts>>
beforeAll(async () => {
  t = await setUpTranscripts(inject('server'))
})
afterAll(() => t.database.drop())

test('files come back as they were written, and are replaced format by format', async () => {
  const jobId = randomUUID()
  await replaceSubtitles(t.db, t.mine, t.episode, {
    ...{ jobId, language: 'nb' },
    files: [
      { format: 'vtt', content: 'WEBVTT\n' },
      { format: 'srt', content: '' },
    ],
  })
  await replaceSubtitles(t.db, t.mine, t.episode, { jobId: null, language: null, files: [{ format: 'srt', content: 'ål' }] })
  expect(await readSubtitles(t.db, t.mine, t.episode, 'vtt')).toEqual({ content: 'WEBVTT\n', language: 'nb', updatedAt: expect.any(Date) })
  expect(await readSubtitles(t.db, t.mine, t.episode, 'srt')).toMatchObject({ content: 'ål', language: null })
  expect(await readSubtitles(t.db, t.mine, t.episode, 'txt')).toBeUndefined()
  expect(await readSubtitles(t.db, t.other, t.episode, 'vtt')).toBeUndefined()
  expect(await readSubtitles(t.db, t.mine, t.otherEpisode, 'vtt')).toBeUndefined()
})

test('a medium that is gone is a permanent failure', async () => {
  const files = [{ format: 'txt' as const, content: 'a' }]
  const writing = replaceSubtitles(t.db, t.mine, randomUUID(), { jobId: null, language: 'nb', files })
  await expect(writing).rejects.toMatchObject({ code: 'MEDIA_NODE_MISSING', kind: 'permanent' })
})

test('files go with their medium', async () => {
  const media = await t.insert()
  await replaceSubtitles(t.db, t.mine, media, { jobId: null, language: 'nb', files: [{ format: 'txt', content: 'a' }] })
  await t.database.query('delete from nodes where id = $1', [media])
  expect((await t.database.query('select from media_subtitles where media_node_id = $1', [media])).rowCount).toBe(0)
})
