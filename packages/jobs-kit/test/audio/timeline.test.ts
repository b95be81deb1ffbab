import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { calm, ffmpeg, sine, useAudio } from './support.ts'

if (!ffmpeg) console.log('not run: 12 tests, needs ffmpeg')

// Where a sound is when its file has gaps, begins late, or was glued together.

describe.skipIf(!ffmpeg)('the timeline', async () => {
  const t = await useAudio()
  const near = (ms: number | undefined, wanted: number) => expect(Math.abs((ms ?? Number.NaN) - wanted)).toBeLessThan(120)

  test.each([
    ['gap.webm', ['-c:a', 'libopus']],
    ['gap.mka', ['-c:a', 'aac']],
    ['gap.m4a', []],
  ])('%s: what a recording left out is silence', async (name, args) => {
    const file = await t.make(name, ...sine(10), '-af', "aselect='lt(t,3)+gte(t,6)'", ...args)
    const { decodedMs, silences, cutShort } = await t.tools.measure(file, {}, calm)
    near(decodedMs, 10_000)
    expect(cutShort).toBe(false)
    expect(silences).toHaveLength(1)
    near(silences[0]?.startMs, 3_000)
    near(silences[0]?.endMs, 6_000)

    const piece = await t.tools.cut(file, { startMs: 5_000, endMs: 8_000, format: 'wav' }, calm)
    const within = await t.tools.measure(await t.adopt(piece.path, 'piece.wav'), {}, calm)
    await piece[Symbol.asyncDispose]()
    near(within.decodedMs, 3_000)
    expect(within.silences).toHaveLength(1)
    near(within.silences[0]?.endMs, 1_000)
  })

  test.each(['late.mp4', 'late.mkv'])('%s: sound that begins five seconds after the picture', async (name) => {
    const picture = ['-f', 'lavfi', '-i', 'testsrc=duration=20:size=160x120:rate=5']
    const file = await t.make(name, ...picture, '-itsoffset', '5', ...sine(10), '-map', '0', '-map', '1')
    const { decodedMs, silences, cutShort } = await t.tools.measure(file, {}, calm)
    near(decodedMs, 15_000)
    expect(cutShort).toBe(false)
    expect(silences).toHaveLength(1)
    near(silences[0]?.endMs, 5_000)
    for (const [startMs, soundMs] of [
      [0, 5_000],
      [4_000, 1_000],
      [7_000, 0],
    ] as const) {
      const piece = await t.tools.cut(file, { startMs, endMs: startMs + 6_000, format: 'wav' }, calm)
      const within = await t.tools.measure(await t.adopt(piece.path, 'piece.wav'), { minSilenceMs: 100 }, calm)
      await piece[Symbol.asyncDispose]()
      near(piece.durationMs, 6_000)
      near(within.silences[0]?.endMs ?? 0, soundMs)
    }
  })

  const bare = ['-write_xing', '0', '-id3v2_version', '0']
  test.each([
    ['glued.mp3', 'mp3', [...bare, '-ac', '2'], [...bare, '-ac', '1']],
    ['same.mp3', 'mp3', [...bare, '-ac', '2'], [...bare, '-ac', '2']],
    ['glued.ogg', 'ogg', ['-c:a', 'libvorbis', '-ac', '2'], ['-c:a', 'libvorbis', '-ac', '1']],
    ['same.opus', 'opus', [], []],
    ['same.flac', 'flac', [], []],
    ['same.ts', 'ts', ['-c:a', 'mp2'], ['-c:a', 'mp2']],
  ])('%s: three files in one, and nothing is lost or added', async (name, extension, first, second) => {
    const parts = [await t.make(`a.${extension}`, ...sine(8), ...first), await t.make(`b.${extension}`, ...sine(7), ...second)]
    const [a, b] = await Promise.all(parts.map(({ path }) => readFile(join(t.media, path))))
    const file = await t.write(name, Buffer.concat([a, b, a] as Buffer[]))
    const { decodedMs, cutShort } = await t.tools.measure(file, {}, calm)
    expect(Math.abs(decodedMs - 23_000)).toBeLessThan(300)
    expect(cutShort).toBe(false)
  })

  test('two channels against each other are silent once they are mixed', async () => {
    const file = await t.make('against.wav', '-f', 'lavfi', '-i', 'aevalsrc=0.5*sin(2000*t)|-0.5*sin(2000*t):duration=2')
    expect(await t.tools.measure(file, {}, calm)).toMatchObject({ maxVolumeDb: -90.3, silences: [{ startMs: 0, endMs: 2_000 }] })
  })
})
