import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { countingRecognizer, fixtures, setup } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 8 tests, needs ffmpeg')

describe.skipIf(!ffmpeg)('audio that is not what it should be', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'), { recognizer: countingRecognizer() })
    for (const name of ['a30-zero.mp3', 'a30-header-only.wav', 'a30-blip-50ms.wav', 'a30-cut-short.wav', 'a30-not-audio.mp3'])
      await copyFile(join(fixtures, name), join(t.mediaRoot, name))
    await mkdir(join(t.mediaRoot, 'folder.mp3'))
  })
  afterAll(() => t.drop())

  test.each([
    ['no bytes', 'a30-zero.mp3', 'AUDIO_EMPTY', /is empty/],
    ['a header only', 'a30-header-only.wav', 'AUDIO_EMPTY', /no sound/],
    ['a text', 'a30-not-audio.mp3', 'AUDIO_UNREADABLE', /is no audio file/],
    ['a folder', 'folder.mp3', 'FILE_NOT_REGULAR', /is a folder/],
    ['a path to nothing', 'missing.mp3', 'FILE_MISSING', /no file "missing\.mp3"/],
    ['a path out of the root', '../etc/passwd', 'FILE_PATH_TRAVERSAL', /\.\./],
  ])('%s fails for good at once, in words, and nothing is sent', async (_what, path, code, words) => {
    const sent = t.whisper.requests.length
    const failed = t.transcribe(await t.arrange(), path)
    await expect(failed).rejects.toMatchObject({ kind: 'permanent', code, message: expect.stringMatching(words) })
    expect(t.whisper.requests).toHaveLength(sent)
  })

  test('50 ms are too short for a word: no segments, and nothing is sent', async () => {
    const sent = t.whisper.requests.length
    const { result } = await t.transcribe(await t.arrange(), 'a30-blip-50ms.wav')
    expect(result).toMatchObject({ segments: 0, note: 'no speech', pieces: 0 })
    expect(t.whisper.requests).toHaveLength(sent)
  })

  test('a file that was cut short is transcribed as far as it goes, and says so', async () => {
    const { result } = await t.transcribe(await t.arrange(), 'a30-cut-short.wav')
    expect(result).toMatchObject({ cutShort: true })
  })
})
