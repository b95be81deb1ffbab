import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { STANDARD } from '../src/survey.ts'
import { countingRecognizer, fixtures, recording, setup } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 6 tests, needs ffmpeg')

const unchecked = { ...STANDARD, skipSilence: false }

describe.skipIf(!ffmpeg)('audio in which nobody speaks', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'), { recognizer: countingRecognizer() })
    await copyFile(join(fixtures, 'a28-silence-1s.wav'), join(t.mediaRoot, 'silence.wav'))
  })
  afterEach(() => t.whisper.recover())
  afterAll(() => t.drop())

  const nothing = { segments: 0, note: 'no speech' }

  test('is not sent anywhere', async () => {
    const sent = t.whisper.requests.length
    const { result } = await t.transcribe(await t.arrange(), 'silence.wav')
    expect(result).toMatchObject({ ...nothing, pieces: 0, durationMs: 1_000 })
    expect(t.whisper.requests).toHaveLength(sent)
  })

  test('replaces a transcript of before all the same', async () => {
    const arranged = await t.arrange()
    await t.writeMedia('spoken.wav', recording({ seconds: 1, level: 0.5 }))
    await t.transcribe(arranged, 'spoken.wav')
    expect(await t.segments(arranged)).toHaveLength(1)
    await t.transcribe(arranged, 'silence.wav')
    expect(await t.segments(arranged)).toEqual([])
  })

  test('faint speech is no silence', async () => {
    await t.writeMedia('faint.wav', recording({ seconds: 2, level: 0.01 }))
    const { result } = await t.transcribe(await t.arrange(), 'faint.wav')
    expect(result).toMatchObject({ segments: 2, note: null })
  })

  test('a server that answers with nothing, or fails because nobody speaks, is right', async () => {
    const empty = { status: 200, body: await readFile(join(fixtures, 'a28-empty.srt'), 'utf8'), headers: { 'content-type': 'text/plain' } }
    const refused = {
      status: 500,
      body: await readFile(join(fixtures, 'a28-500-no-speech.json'), 'utf8'),
      headers: { 'content-type': 'application/json' },
    }
    const srt = await setup(
      inject('server'),
      { recognizer: countingRecognizer() },
      { transcription: { url: new URL(t.whisper.url), format: 'srt' } },
    )
    try {
      await copyFile(join(fixtures, 'a28-silence-1s.wav'), join(srt.mediaRoot, 'silence.wav'))
      for (const answer of [empty, refused]) {
        const sent = t.whisper.requests.length
        t.whisper.fail({ answer })
        const { result } = await srt.transcribe(await srt.arrange(), 'silence.wav', { listening: unchecked })
        expect(result).toMatchObject({ ...nothing, pieces: 1 })
        expect(t.whisper.requests).toHaveLength(sent + 1)
      }
      const { rows } = await srt.pool.query('select * from service_breakers where failures > 0')
      expect(rows).toEqual([])
    } finally {
      await srt.drop()
    }
  })

  test('a server that fails for another reason is tried again', async () => {
    t.whisper.fail({ answer: { status: 500, body: 'Internal Server Error' } })
    const failed = t.transcribe(await t.arrange(), 'silence.wav', { listening: unchecked })
    await expect(failed).rejects.toMatchObject({ kind: 'transient', code: 'UPSTREAM_UNAVAILABLE', status: 500 })
  })
})
