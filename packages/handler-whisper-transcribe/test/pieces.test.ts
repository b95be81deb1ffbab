import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type ListeningOptions, STANDARD } from '../src/survey.ts'
import { countingRecognizer, recording, setup } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 5 tests, needs ffmpeg')

const short: ListeningOptions = { ...STANDARD, limits: { targetMs: 4_000, maxMs: 5_000 } }
/** Nine seconds: three of speech, a pause, and so on. */
const speech = recording(
  { seconds: 3, level: 0.5 },
  { seconds: 1, level: 0 },
  { seconds: 3, level: 0.5 },
  { seconds: 1, level: 0 },
  { seconds: 1, level: 0.5 },
)

describe.skipIf(!ffmpeg)('long audio', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'), { recognizer: countingRecognizer() })
    await t.writeMedia('speech.wav', speech)
  })
  afterEach(() => t.whisper.recover())
  afterAll(() => t.drop())

  test('is cut where nobody speaks; times are those of the whole, progress goes by pieces', async () => {
    const arranged = await t.arrange()
    const { result, progress } = await t.transcribe(arranged, 'speech.wav', { listening: short })
    expect(result).toMatchObject({ pieces: 3, segments: 10, durationMs: 9_000, note: null, language: 'nb' })
    const segments = await t.segments(arranged)
    expect(segments[0]).toEqual([0, 1_000, expect.stringMatching(/\.1 ord$/)])
    expect(segments.at(-1)?.[1]).toBeLessThanOrEqual(9_000)
    expect(segments.map(([startMs]) => startMs)).toEqual(segments.map(([startMs]) => startMs).toSorted((a, b) => Number(a) - Number(b)))
    expect(progress.map(({ text }) => text)).toEqual([
      'Leter etter stillhet',
      'Transkriberer del 1 av 3',
      'Transkriberer del 2 av 3',
      'Transkriberer del 3 av 3',
      'Lagrer',
    ])
  })

  test('a second attempt does not pay again for the pieces of the first', async () => {
    const arranged = await t.arrange()
    const steps = {}
    const sent = t.whisper.requests.length
    // The second call fails; the first is kept.
    t.whisper.fail({ delayMs: 1 }, { answer: { status: 500, body: 'Internal Server Error' } })
    const failing = t.transcribe(arranged, 'speech.wav', { listening: short, steps })
    await expect(failing).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    expect(t.whisper.requests).toHaveLength(sent + 2)
    expect(await t.segments(arranged)).toEqual([])

    const { result } = await t.transcribe(arranged, 'speech.wav', { listening: short, steps })
    expect(result).toMatchObject({ pieces: 3 })
    expect(t.whisper.requests).toHaveLength(sent + 4)
  })

  test('a file that was replaced between two attempts is begun anew', async () => {
    const steps = {}
    await t.writeMedia('replaced.wav', recording({ seconds: 2, level: 0.5 }))
    await t.transcribe(await t.arrange(), 'replaced.wav', { steps })
    const sent = t.whisper.requests.length
    await t.writeMedia('replaced.wav', recording({ seconds: 3, level: 0.5 }))
    await utimes(join(t.mediaRoot, 'replaced.wav'), new Date(), new Date(Date.now() + 5_000))
    const { result } = await t.transcribe(await t.arrange(), 'replaced.wav', { steps })
    expect(result).toMatchObject({ segments: 3, durationMs: 3_000 })
    expect(t.whisper.requests).toHaveLength(sent + 1)
  })

  test('silence at both ends is not sent, and the times are right', async () => {
    await t.writeMedia('padded.wav', recording({ seconds: 2, level: 0 }, { seconds: 1, level: 0.5 }, { seconds: 2, level: 0 }))
    const arranged = await t.arrange()
    await t.transcribe(arranged, 'padded.wav')
    expect(await t.segments(arranged)).toEqual([
      [1_500, 2_500, expect.stringMatching(/\.1 ord$/)],
      [2_500, 3_500, expect.stringMatching(/\.2 ord$/)],
    ])
  })

  test('an abort in the middle ends the call with its reason', async () => {
    const reason = new Error('cancelled')
    const controller = new AbortController()
    t.whisper.fail({ hang: 'before-headers' })
    const number = t.whisper.requests.length + 1
    const running = t.transcribe(await t.arrange(), 'speech.wav', { listening: short, signal: controller.signal })
    await t.whisper.received(number)
    controller.abort(reason)
    await expect(running).rejects.toBe(reason)
  })
})
