import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { insertNode } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { readWaveform } from '@sidelinja/jobs-kit/storage'
import { describeHandler } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import generateWaveform from '../src/index.ts'
import { ffmpeg, makeAudio, setup, toneAndSilence } from './support.ts'

if (!ffmpeg) console.log('not run: 27 tests, needs ffmpeg')

const mediaNodeId = '018f0000-0000-7000-8000-000000000001'

describe.skipIf(!ffmpeg)('generate_waveform', () => {
  describeHandler({
    package: generateWaveform,
    packageFolder: new URL('..', import.meta.url),
    server: inject('server'),
    createServices({ db }, mediaRoot) {
      const { media, audio } = createServices({ db, mediaRoot })
      return { media, audio }
    },
    async arrange({ db }, mediaRoot) {
      await makeAudio(mediaRoot, 'ep001.mp3', ...toneAndSilence(2))
      const [collection, media] = [await insertNode(db), await insertNode(db)]
      return { collectionNodeId: collection.id, payload: { mediaNodeId: media.id, audioPath: 'ep001.mp3' } }
    },
    badPayloads: [
      {},
      { mediaNodeId },
      { mediaNodeId, audioPath: '' },
      { mediaNodeId, audioPath: 'a'.repeat(501) },
      { mediaNodeId: 'ep001', audioPath: 'ep001.mp3' },
      { mediaNodeId, audioPath: 'ep001.mp3', allowCutShort: 'yes' },
    ],
    ignoreColumns: ['media_waveforms.updated_at', 'media_waveforms.job_id'],
  })

  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'))
  })
  afterAll(() => t.drop())

  const stored = async (media: string, level: 'overview' | 'detail' = 'overview') => {
    const waveform = await readWaveform(t.db, t.collectionNodeId, media, level)
    return waveform && { ...waveform, ...JSON.parse(waveform.content) }
  }

  test('a tone and a silence, as they sound', async () => {
    await t.make('tone.wav', ...toneAndSilence(100))
    const media = await t.insertMedia()
    const { result, progress } = await t.run({ mediaNodeId: media, audioPath: 'tone.wav' })
    expect(result).toEqual({
      ...{ durationMs: 200_000, sampleRate: 44_100, cutShort: false },
      overview: { points: 2_154, samplesPerPixel: 4_096 },
      detail: { points: 4_000, samplesPerPixel: 2_205 },
    })
    expect(progress.at(-1)).toEqual({ fraction: 1, text: 'Tegner bølgeform' })
    for (const level of ['overview', 'detail'] as const) {
      const { data, ...waveform } = await stored(media, level)
      expect(waveform).toMatchObject({
        durationMs: 200_000,
        version: 2,
        channels: 1,
        sample_rate: 44_100,
        bits: 8,
        length: data.length / 2,
      })
      // Half of full scale, then nothing; between them one point that has both.
      const half = data.length / 2
      for (const value of data.slice(0, half - 4)) expect(Math.abs(value)).toBeGreaterThanOrEqual(63)
      for (const value of data.slice(half + 4)) expect(value).toBe(0)
    }
  })

  test('a second file takes the place of the first', async () => {
    await t.make('first.mp3', ...toneAndSilence(1))
    await t.make('second.mp3', ...toneAndSilence(2))
    const media = await t.insertMedia()
    await t.run({ mediaNodeId: media, audioPath: 'first.mp3' })
    await t.run({ mediaNodeId: media, audioPath: 'second.mp3' })
    expect(Math.abs((await stored(media)).durationMs - 4_000)).toBeLessThan(100)
    const { rows } = await t.pool.query('select level from media_waveforms where media_node_id = $1 order by 1', [media])
    expect(rows).toEqual([{ level: 'detail' }, { level: 'overview' }])
  })

  test.each([8_000, 96_000, 11_025, 4_000])('a file of %i Hz is drawn, at a rate between 8 and 48 kHz', async (rate) => {
    await t.make('rate.wav', ...toneAndSilence(1), '-ar', String(rate))
    const { result } = await t.run({ mediaNodeId: await t.insertMedia(), audioPath: 'rate.wav' })
    expect(result.sampleRate).toBe(Math.min(48_000, Math.max(8_000, rate)))
    expect(Math.abs(result.durationMs - 2_000)).toBeLessThan(10)
  })

  test('a file that broke off is a permanent failure, unless what there is will do', async () => {
    await t.make('whole.mp3', ...toneAndSilence(5))
    const whole = await readFile(join(t.mediaRoot, 'whole.mp3'))
    await writeFile(join(t.mediaRoot, 'cut.mp3'), whole.subarray(0, whole.length / 2))
    const payload = { mediaNodeId: await t.insertMedia(), audioPath: 'cut.mp3' }
    await expect(t.run(payload)).rejects.toMatchObject({
      ...{ kind: 'permanent', code: 'AUDIO_CUT_SHORT' },
      message: expect.stringMatching(
        /^"cut.mp3" is cut short: it should be 10\.0 s long, and only \d\.\d s are there\. Upload it again, or/,
      ),
    })
    expect(await stored(payload.mediaNodeId)).toBeUndefined()
    expect((await t.run({ ...payload, allowCutShort: true })).result).toMatchObject({ cutShort: true })
    expect((await stored(payload.mediaNodeId)).durationMs).toBeLessThan(6_000)
  })

  test.each([
    ['a30-zero.mp3', 'AUDIO_EMPTY'],
    ['a30-header-only.wav', 'AUDIO_EMPTY'],
    ['a30-not-audio.mp3', 'AUDIO_UNREADABLE'],
    ['a30-cut-short.wav', 'AUDIO_CUT_SHORT'],
    ['missing.mp3', 'FILE_MISSING'],
    ['folder', 'FILE_NOT_REGULAR'],
    ['../ep001.mp3', 'FILE_PATH_TRAVERSAL'],
  ])('permanent: %s', async (audioPath, code) => {
    await mkdir(join(t.mediaRoot, 'folder'), { recursive: true })
    if (audioPath.startsWith('a30')) await copyFile(join(import.meta.dirname, 'fixtures', audioPath), join(t.mediaRoot, audioPath))
    await expect(t.run({ mediaNodeId: await t.insertMedia(), audioPath })).rejects.toMatchObject({ code, kind: 'permanent' })
  })

  test('50 ms are drawn', async () => {
    await copyFile(join(import.meta.dirname, 'fixtures/a30-blip-50ms.wav'), join(t.mediaRoot, 'blip.wav'))
    const { result } = await t.run({ mediaNodeId: await t.insertMedia(), audioPath: 'blip.wav' })
    expect(result).toMatchObject({ durationMs: 50, overview: { points: 13 }, detail: { points: 13 } })
  })

  test('permanent: a media node that is gone', async () => {
    await t.make('gone.mp3', ...toneAndSilence(1))
    await expect(t.run({ mediaNodeId, audioPath: 'gone.mp3' })).rejects.toMatchObject({ code: 'MEDIA_NODE_MISSING', kind: 'permanent' })
  })

  test('a waveform goes with its medium, and with its collection', async () => {
    await t.make('short.mp3', ...toneAndSilence(1))
    const media = await t.insertMedia()
    await t.run({ mediaNodeId: media, audioPath: 'short.mp3' })
    await t.pool.query('delete from nodes where id = $1', [media])
    expect(await stored(media)).toBeUndefined()
  })
})
