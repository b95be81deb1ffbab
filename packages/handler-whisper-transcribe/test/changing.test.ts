import { rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type ListeningOptions, STANDARD } from '../src/survey.ts'
import { countingRecognizer, recording, setup } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 3 tests, needs ffmpeg')

const short: ListeningOptions = { ...STANDARD, limits: { targetMs: 4_000, maxMs: 5_000 } }

/** The file is another one, or none, while its first piece is being transcribed. */
describe.skipIf(!ffmpeg)('a file that changes in the middle of a run', () => {
  let meanwhile: (() => Promise<void>) | undefined
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    const counting = countingRecognizer()
    const recognize: typeof counting.recognize = async (...args) => {
      await meanwhile?.()
      meanwhile = undefined
      return counting.recognize(...args)
    }
    t = await setup(inject('server'), { recognizer: { ...counting, recognize } })
  })
  afterAll(() => t.drop())

  async function transcribeWhile(change: (path: string) => Promise<void>) {
    await t.writeMedia('live.wav', recording({ seconds: 12, level: 0.5 }))
    meanwhile = () => change(join(t.mediaRoot, 'live.wav'))
    const arranged = await t.arrange()
    const sent = t.whisper.requests.length
    const steps = {}
    const run = () => t.transcribe(arranged, 'live.wav', { listening: short, steps })
    return { arranged, run, sentSince: () => t.whisper.requests.length - sent }
  }

  test('replaced: no piece of the new one is sent as part of the old one, and the next run hears the new one', async () => {
    const { arranged, run, sentSince } = await transcribeWhile(async (path) => {
      await writeFile(`${path}.new`, recording({ seconds: 7, level: 0.5 }))
      await rename(`${path}.new`, path)
    })
    await expect(run()).rejects.toMatchObject({ kind: 'transient', code: 'AUDIO_CHANGED' })
    expect(sentSince()).toBe(1)
    expect(await t.segments(arranged)).toEqual([])
    expect((await run()).result).toMatchObject({ durationMs: 7_000, pieces: 2 })
    expect((await t.segments(arranged)).at(-1)?.[1]).toBe(7_000)
  })

  test('cut short: the same', async () => {
    const { run, sentSince } = await transcribeWhile((path) => truncate(path, 300_000))
    await expect(run()).rejects.toMatchObject({ kind: 'transient', code: 'AUDIO_CHANGED' })
    expect(sentSince()).toBe(1)
    expect((await run()).result).toMatchObject({ pieces: 2, cutShort: true })
  })

  test('gone: permanent, as at the beginning', async () => {
    const { run, sentSince } = await transcribeWhile((path) => rm(path))
    await expect(run()).rejects.toMatchObject({ kind: 'permanent', code: 'FILE_MISSING' })
    expect(sentSince()).toBe(1)
  })
})
