import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RootedFile } from '@sidelinja/jobs-kit'
import { describe, expect, test } from 'vitest'
import { calm, ffmpeg, sine, useAudio, wav } from './support.ts'

if (!ffmpeg) console.log('not run: 26 tests, needs ffmpeg')

describe.skipIf(!ffmpeg)('bad audio', async () => {
  const t = await useAudio()
  const attempts = (file: RootedFile) => [
    t.tools.probe(file, calm),
    t.tools.measure(file, {}, calm),
    t.tools.decode(file, { sampleRate: 8_000, onSamples: () => {} }, calm),
    t.tools.cut(file, { startMs: 0, endMs: 1_000, format: 'flac' }, calm),
  ]
  const failures = async (file: RootedFile) => {
    const settled = await Promise.allSettled(attempts(file))
    return settled.map((one) => (one.status === 'rejected' ? one.reason : undefined))
  }

  const random = () => Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7919 + ((n * n) % 251)) & 0xff))
  const cases: [string, () => Promise<RootedFile>, string, RegExp][] = [
    ['no bytes', () => t.fixture('a30-zero.mp3'), 'AUDIO_EMPTY', /"a30-zero.mp3" is empty \(0 bytes\)\. Upload the audio file again\./],
    ['a text', () => t.fixture('a30-not-audio.mp3'), 'AUDIO_UNREADABLE', /"a30-not-audio.mp3" is no audio file .* Expected mp3, m4a/],
    ['a missing file', async () => t.file('nope.mp3'), 'FILE_MISSING', /no file "nope.mp3"/],
    ['a folder', () => mkdir(join(t.media, 'folder.mp3')).then(() => t.file('folder.mp3')), 'FILE_NOT_REGULAR', /is a folder/],
    ['noise', () => t.write('random.mp3', random()), 'AUDIO_UNREADABLE', /no audio file/],
    ['zeros', () => t.write('zeros.mp3', Buffer.alloc(300_000)), 'AUDIO_UNREADABLE', /no audio file/],
    ['a page', () => t.write('404.mp3', '<!doctype html><title>Not found</title>'), 'AUDIO_UNREADABLE', /no audio file/],
    [
      'a picture',
      () => t.make('cover.mp3', '-f', 'lavfi', '-i', 'color', '-frames:v', '1', '-f', 'image2'),
      'AUDIO_UNREADABLE',
      /no audio/,
    ],
    [
      'a video without sound',
      () => t.make('mute.mp4', '-f', 'lavfi', '-i', 'testsrc=duration=1'),
      'AUDIO_TRACK_MISSING',
      /no sound, only a picture/,
    ],
    [
      'the beginning of an m4a',
      async () => t.write('moov.m4a', (await bytes('tone.m4a')).subarray(0, 4_000)),
      'AUDIO_UNREADABLE',
      /moov atom/,
    ],
  ]
  const bytes = async (name: string) => readFile(join(t.media, (await t.make(name, ...sine(3))).path))

  test.each(cases)('%s is permanent at once, and says why', async (_name, make, code, message) => {
    for (const failure of await failures(await make())) {
      expect(failure).toMatchObject({ code, kind: 'permanent', message: expect.stringMatching(message) })
      // No address of memory, no descriptor, no folder of this machine.
      expect(failure.message).not.toMatch(/0x[0-9a-f]{6}|\/dev\/fd|media-/)
    }
    expect(await t.temporaryFiles()).toEqual([])
  })

  test('a header without sound is empty', async () => {
    const [probed, ...others] = await failures(await t.fixture('a30-header-only.wav'))
    expect(probed).toBeUndefined()
    for (const failure of others) expect(failure).toMatchObject({ code: 'AUDIO_EMPTY', kind: 'permanent' })
  })

  test('50 ms are audio', async () => {
    const measured = await t.tools.measure(await t.fixture('a30-blip-50ms.wav'), {}, calm)
    expect(measured).toMatchObject({ decodedMs: 50, durationMs: 50, cutShort: false })
  })

  test('a WAV that broke off: what its header promised, and what there is', async () => {
    const measured = await t.tools.measure(await t.fixture('a30-cut-short.wav'), {}, calm)
    expect(measured).toMatchObject({ durationMs: 60_001, decodedMs: 25, cutShort: true })
  })

  const cut = async (name: string, args: string[], keep: number) => {
    await t.make(`whole-${name}`, ...sine(20), ...args)
    const whole = await readFile(join(t.media, `whole-${name}`))
    return await t.write(name, whole.subarray(0, Math.floor(whole.length * keep)))
  }
  test.each([
    ['cut.mp3', []],
    ['vbr.mp3', ['-q:a', '5']],
    ['cut.flac', []],
    ['cut.m4a', ['-movflags', '+faststart']],
    ['cut.mkv', ['-c:a', 'libopus']],
    ['cut.wav', []],
    ['cut.aiff', []],
  ])('%s: half of an upload is cut short, 99.9 %% of it is not', async (name, args) => {
    const half = await t.tools.measure(await cut(name, args, 0.5), {}, calm)
    expect(half.cutShort).toBe(true)
    expect(Math.abs((half.durationMs ?? 0) - 20_000)).toBeLessThan(100)
    expect(half.decodedMs).toBeLessThan(11_000)
    expect(await t.tools.measure(await cut(`most-${name}`, args, 0.999), {}, calm)).toMatchObject({ cutShort: false })
  })

  test.each([
    ['headless.mp3', ['-q:a', '5', '-write_xing', '0']],
    ['live.webm', ['-c:a', 'libopus', '-live', '1']],
    ['cut.aac', []],
    ['cut.ogg', []],
  ])('%s promises nothing: half of it is just shorter', async (name, args) => {
    const half = await t.tools.measure(await cut(name, args, 0.5), {}, calm)
    expect(half.cutShort).toBe(false)
    expect(Math.abs(half.decodedMs - 10_000)).toBeLessThan(2_500)
  })

  test('a WAV that was streamed, with sizes that say nothing, is whole', async () => {
    for (const claimedBytes of [0xffffffff - 36, 0x7fffffff - 36]) {
      const file = await t.write('streamed.wav', wav({ frames: 32_000, claimedBytes }))
      expect(await t.tools.measure(file, {}, calm)).toMatchObject({ decodedMs: 2_000, cutShort: false })
    }
  })

  test('damage in the middle is passed over', async () => {
    const whole = await bytes('damaged.mp3')
    whole.fill(0x55, 10_000, 12_000)
    const measured = await t.tools.measure(await t.write('damaged.mp3', whole), {}, calm)
    expect(measured.decodedMs).toBeGreaterThan(2_000)
  })
})
