import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { hasTranscript, readSegments, replaceSegments, type Segment, searchSegments } from '../../src/storage/index.ts'
import { segmentsOf, setUpTranscripts } from './support.ts'

let t: Awaited<ReturnType<typeof setUpTranscripts>>
beforeAll(async () => {
  t = await setUpTranscripts(inject('server'))
})
afterAll(() => t.database.drop())
beforeEach(() => t.database.query('truncate transcription_segments, media_transcripts'))

const full: Segment = {
  startMs: 0,
  endMs: 2_147_483_647,
  text: 'Blåbær\n"og" {ål} \\ 😀',
  speaker: 'Eva',
  avgLogprob: -0.123456789,
  noSpeechProb: 1e-9,
  compressionRatio: 1.5,
  language: 'nn',
  suspect: ['odd_time', 'overlap'],
  raw: { timing: '00:00 --> 00:01', endMs: null, text: '<i>Blåbær</i>' },
}
const bare = { ...full, speaker: null, avgLogprob: null, noSpeechProb: null, compressionRatio: null, suspect: [], raw: null }

const replace = (segments: readonly Segment[], { collection = t.mine, media = t.episode, language = 'nb' } = {}) =>
  t.db.transaction().execute((trx) => replaceSegments(trx, collection, media, { jobId: randomUUID(), language, segments }))

test('segments come back as they were written', async () => {
  await replace([full, bare])
  expect(await readSegments(t.db, t.mine, t.episode)).toEqual([full, bare])
  expect(await readSegments(t.db, t.mine, t.otherEpisode)).toEqual([])
  expect(await readSegments(t.db, t.other, t.episode)).toEqual([])
})

test('a transcript in which nothing is said is one all the same; a medium that was never transcribed has none', async () => {
  const [silent, written] = [await t.insert(), await t.insert()]
  await replace([], { media: silent })
  expect(await readSegments(t.db, t.mine, silent)).toEqual([])
  const has = (collection: string, media: string) => hasTranscript(t.db, collection, media)
  expect(await Promise.all([has(t.mine, silent), has(t.other, silent), has(t.mine, written)])).toEqual([true, false, false])
  // As a worker of an older release leaves it.
  await replace([bare], { media: written })
  await t.database.query('delete from media_transcripts where media_node_id = $1', [written])
  expect(await has(t.mine, written)).toBe(true)
  await t.database.query('delete from nodes where id = any ($1)', [[silent, written]])
  expect((await t.database.query('select from media_transcripts')).rowCount).toBe(0)
})

test('a segment without a language has that of the transcript', async () => {
  await replace([{ ...bare, language: null }, bare])
  expect((await readSegments(t.db, t.mine, t.episode)).map(({ language }) => language)).toEqual(['nb', 'nn'])
})

test.each([
  [2500, 3],
  [3, 2500],
  [1000, 2000],
  [5, 0],
  [0, 5],
])('%i segments are replaced by %i, in order', async (before, after) => {
  const many = (count: number, word: string) => segmentsOf(...Array.from({ length: count }, (_, index) => `${word} ${index}`))
  await replace(many(7, 'hers'), { collection: t.other })
  await replace(many(before, 'old'))
  await replace(many(after, 'new'))
  expect(await readSegments(t.db, t.mine, t.episode)).toEqual(many(after, 'new').map((segment) => ({ ...segment, language: 'nb' })))
  expect(await readSegments(t.db, t.other, t.episode)).toHaveLength(7)
})

test('the old transcript is seen until the new one is committed, and stays when that fails', async () => {
  await replace(segmentsOf('old'))
  const failing = t.db.transaction().execute(async (trx) => {
    await replaceSegments(trx, t.mine, t.episode, { jobId: null, language: 'nb', segments: segmentsOf('new', 'and more') })
    expect(await readSegments(t.db, t.mine, t.episode)).toMatchObject([{ text: 'old' }])
    throw new Error('planned')
  })
  await expect(failing).rejects.toThrow('planned')
  expect(await readSegments(t.db, t.mine, t.episode)).toMatchObject([{ text: 'old' }])
})

test('two transcripts of one medium at once: one of them whole, no mixture, no deadlock', async () => {
  const [short, long] = [segmentsOf('short'), segmentsOf(...Array.from({ length: 3000 }, (_, index) => `long ${index}`))]
  for (let round = 0; round < 5; round++) {
    await Promise.all([replace(short), replace(long), replace(long), replace(short)])
    const words = new Set((await readSegments(t.db, t.mine, t.episode)).map(({ text }) => text.split(' ')[0]))
    const count = (await readSegments(t.db, t.mine, t.episode)).length
    expect([[...words], count]).toEqual(words.has('short') ? [['short'], 1] : [['long'], 3000])
  }
})

test('a medium that is gone is a permanent failure', async () => {
  await expect(replace(segmentsOf('a'), { media: randomUUID() })).rejects.toMatchObject({ code: 'MEDIA_NODE_MISSING', kind: 'permanent' })
  await expect(replace([], { media: randomUUID() })).rejects.toMatchObject({ code: 'MEDIA_NODE_MISSING' })
})

test('a transcript goes with its medium, and with its collection', async () => {
  const [collection, media] = [await t.insert(), await t.insert()]
  await replace(segmentsOf('a'), { media })
  await replace(segmentsOf('a'), { collection })
  await t.database.query('delete from nodes where id = any ($1)', [[collection, media]])
  expect((await t.database.query('select from transcription_segments')).rowCount).toBe(0)
})

describe('search', () => {
  const find = async (query: string, more = {}) => (await searchSegments(t.db, t.mine, { query, ...more })).map(({ text }) => text)

  test('finds words in any form, phrases, and what is not excluded', async () => {
    await replace(segmentsOf('Kommunevalgene på Østlandet', 'Vi snakker om kommunevalget', 'Noe helt annet'))
    expect(await find('kommunevalg')).toHaveLength(2)
    expect(await find('kommunevalg -snakker')).toEqual(['Kommunevalgene på Østlandet'])
    expect(await find('"helt annet"')).toEqual(['Noe helt annet'])
    expect(await find('østlandet or annet')).toHaveLength(2)
    expect(await find('')).toEqual([])
  })

  test('tells where it is, and what is wrong with it', async () => {
    await replace([
      { ...bare, text: 'først' },
      { ...full, text: 'her er det' },
    ])
    expect(await searchSegments(t.db, t.mine, { query: 'her er det', languages: ['en'] })).toEqual([])
    expect(await searchSegments(t.db, t.mine, { query: 'først' })).toEqual([
      { mediaNodeId: t.episode, seq: 0, startMs: 0, endMs: 2_147_483_647, text: 'først', speaker: null, suspect: [] },
    ])
  })

  test('of other collections and of other media nothing', async () => {
    await replace(segmentsOf('hemmelig'), { collection: t.other })
    await replace(segmentsOf('hemmelig her'))
    await replace(segmentsOf('hemmelig der'), { media: t.otherEpisode })
    expect((await find('hemmelig')).toSorted()).toEqual(['hemmelig der', 'hemmelig her'])
    expect(await find('hemmelig', { mediaNodeId: t.otherEpisode })).toEqual(['hemmelig der'])
  })

  test('by the rules of each language, also of one nobody knows', async () => {
    await replace(segmentsOf('The elections were running'), { language: 'en-GB' })
    await replace(segmentsOf('qapla batlh'), { media: t.otherEpisode, language: 'tlh' })
    expect(await find('election run', { languages: ['en'] })).toHaveLength(1)
    expect(await find('election run', { languages: ['nb', 'en'] })).toHaveLength(1)
    expect(await find('qapla', { languages: ['tlh'] })).toHaveLength(1)
    expect(await find('qapla', { languages: [] })).toEqual([])
  })

  test('page by page, and never more than 200', async () => {
    await replace(segmentsOf(...Array.from({ length: 250 }, (_, index) => `ord ${index}`)))
    expect(await find('ord')).toHaveLength(50)
    expect(await find('ord', { limit: 1_000_000 })).toHaveLength(200)
    expect(await find('ord', { limit: 2, offset: 3 })).toEqual(['ord 3', 'ord 4'])
  })

  test('a text longer than an index can hold is kept whole, and its beginning is found', async () => {
    const text = `begynnelse ${Array.from({ length: 400_000 }, (_, index) => index.toString(36)).join(' ')}`
    await replace([{ ...bare, text }])
    expect((await readSegments(t.db, t.mine, t.episode))[0]?.text).toHaveLength(text.length)
    expect(await find('begynnelse')).toHaveLength(1)
  })
})
