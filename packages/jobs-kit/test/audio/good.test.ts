import { stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { calm, ffmpeg, useAudio } from './support.ts'

if (!ffmpeg) console.log('not run: 15 tests, needs ffmpeg')

describe.skipIf(!ffmpeg)('audio that is as it should be', async () => {
  const t = await useAudio()

  test('the sample episode: what it says of itself, and what is in it', async () => {
    const file = await t.fixture('ep.mp3')
    const { modifiedMs, ...info } = await t.tools.probe(file, calm)
    expect(info).toEqual({ durationMs: 33_588, channels: 1, sampleRate: 16_000, codec: 'mp3', sizeBytes: 201_789 })
    expect(modifiedMs).toBe((await stat(`${t.media}/ep.mp3`)).mtimeMs)

    const fractions: number[] = []
    const measured = await t.tools.measure(file, {}, calm, (fraction) => fractions.push(fraction))
    // Without what the encoder put in front and behind.
    expect(measured.decodedMs).toBe(33_485)
    expect(measured).toMatchObject({ durationMs: 33_588, cutShort: false })
    expect(measured.maxVolumeDb).toBeGreaterThan(-12)
    expect(measured.silences.length).toBeGreaterThan(3)
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
    expect(fractions.at(-1)).toBeGreaterThan(0.99)
  })

  test.each([
    ['tone.mp3', ['-b:a', '64k'], 'mp3'],
    ['vbr.mp3', ['-q:a', '5'], 'mp3'],
    ['headless.mp3', ['-q:a', '5', '-write_xing', '0', '-id3v2_version', '0'], 'mp3'],
    ['tone.m4a', [], 'aac'],
    ['tone.aac', [], 'aac'],
    ['tone.wav', [], 'pcm_s16le'],
    ['deep.wav', ['-c:a', 'pcm_s24le', '-ar', '96000'], 'pcm_s24le'],
    ['tone.flac', [], 'flac'],
    ['tone.ogg', ['-c:a', 'libvorbis'], 'vorbis'],
    ['tone.opus', [], 'opus'],
    ['tone.webm', ['-c:a', 'libopus'], 'opus'],
    ['tone.aiff', [], 'pcm_s16be'],
    ['tone.wma', [], 'wmav2'],
    ['tone.ts', ['-c:a', 'mp2'], 'mp2'],
  ])('%s: measured, cut and decoded at the same places', async (name, args, codec) => {
    // Two seconds of a tone, one of silence, two of a tone.
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=5', '-af', "volume=0:enable='between(t,2,3)'", '-ar', '48000']
    const file = await t.make(name, ...tone, ...args)
    const info = await t.tools.probe(file, calm)
    expect(info).toMatchObject({ codec, channels: 1 })
    // Some formats do not say; then it is estimated.
    expect(Math.abs((info.durationMs ?? 0) - 5_000)).toBeLessThan(1_000)

    const { silences, decodedMs, cutShort } = await t.tools.measure(file, {}, calm)
    expect(cutShort).toBe(false)
    expect(Math.abs(decodedMs - 5_000)).toBeLessThan(150)
    const [silence] = silences.filter(({ startMs, endMs }) => endMs - startMs > 700)
    expect(Math.abs((silence?.startMs ?? 0) - 2_000)).toBeLessThan(100)
    expect(Math.abs((silence?.endMs ?? 0) - 3_000)).toBeLessThan(100)

    // A piece that begins in the silence: its first sound is where the whole file has it.
    const piece = await t.tools.cut(file, { startMs: 2_500, endMs: 4_000, format: 'wav' }, calm)
    const within = await t.tools.measure(await t.adopt(piece.path, 'piece.wav'), { minSilenceMs: 100 }, calm)
    await piece[Symbol.asyncDispose]()
    expect(piece.durationMs).toBe(1_500)
    expect(within.silences).toHaveLength(1)
    expect(Math.abs((within.silences[0]?.endMs ?? 0) + 2_500 - (silence?.endMs ?? 0))).toBeLessThan(100)
  })
})
