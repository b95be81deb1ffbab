import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { countWrongWords } from './count-wrong-words.ts'
import { fixtures, setup } from './support.ts'

const canListen = inject('ffmpeg') && inject('pocketsphinx')
if (!canListen) console.log('not run: 1 tests, needs pocketsphinx and ffmpeg')

describe.skipIf(!canListen)('real recognition of the sample episode', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'), {})
    await copyFile(join(fixtures, 'episode.mp3'), join(t.mediaRoot, 'episode.mp3'))
  })
  afterAll(() => t.drop())

  test('most words are right, in order, with times within the recording', { timeout: 120_000 }, async () => {
    const arranged = await t.arrange({ language: 'en' })
    const { result } = await t.transcribe(arranged, 'episode.mp3')
    const segments = await t.segments(arranged)
    const { wrong, words } = countWrongWords(
      await readFile(join(fixtures, 'episode.txt'), 'utf8'),
      segments.map(([, , text]) => text).join(' '),
    )
    expect(words).toBeGreaterThan(90)
    expect(wrong / words).toBeLessThan(0.25)
    expect(result).toMatchObject({ segments: segments.length, language: 'en', cutShort: false })
    expect(segments.length).toBeGreaterThan(3)
    const times = segments.flatMap(([startMs, endMs]) => [Number(startMs), Number(endMs)])
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(segments.at(-1)?.[1]).toBeLessThanOrEqual(result.durationMs)
  })
})
