import { type LiveKitStandIn, startLiveKitStandIn } from '@sidelinja/jobs-kit/testing'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { STANDARD } from '../src/survey.ts'
import { countingRecognizer, recording, setup } from './support.ts'

const ffmpeg = inject('ffmpeg')
if (!ffmpeg) console.log('not run: 5 tests, needs ffmpeg')

const access = { apiKey: 'devkey', apiSecret: 'a secret of at least thirty-two characters' }
const live = { name: 'studio', participants: [{ identity: 'maren' }, { identity: 'ola' }] }

describe.skipIf(!ffmpeg)('beside a live room', () => {
  let liveKit: LiveKitStandIn
  let t: Awaited<ReturnType<typeof setup>>
  const open = async (gentle: object = {}) => {
    t = await setup(
      inject('server'),
      { recognizer: countingRecognizer() },
      { liveKit: { url: new URL(liveKit.url), ...access, cacheMs: 0 }, gentle },
    )
    await t.writeMedia('one.wav', recording({ seconds: 1, level: 0.5 }))
    return t
  }
  beforeEach(async () => {
    liveKit = await startLiveKitStandIn(access)
  })
  afterEach(async () => {
    await liveKit.close()
    await t.drop()
  })
  const threadsSent = () => t.whisper.requests.map(({ form }) => form?.fields.get('threads')?.[0])

  test('nobody there: full speed', async () => {
    await open()
    const { result } = await t.transcribe(await t.arrange(), 'one.wav')
    expect(result).toMatchObject({ segments: 1, gentlePieces: 0 })
    expect(threadsSent()).toEqual([undefined])
  })

  test('somebody there: two threads, and the result says so', async () => {
    await open()
    liveKit.setRooms([live])
    const { result, logs } = await t.transcribe(await t.arrange(), 'one.wav')
    expect(result).toMatchObject({ segments: 1, gentlePieces: 1 })
    expect(threadsSent()).toEqual(['2'])
    expect(logs).toMatchObject([{ level: 'info', message: 'Transcribed gently' }])
  })

  test('a room that opens while a transcription runs is noticed at the next piece', async () => {
    await open()
    await t.writeMedia('long.wav', recording({ seconds: 3, level: 0.5 }, { seconds: 1, level: 0 }, { seconds: 3, level: 0.5 }))
    const running = t.transcribe(await t.arrange(), 'long.wav', { listening: { ...STANDARD, limits: { targetMs: 4_000, maxMs: 5_000 } } })
    await t.whisper.received(1)
    liveKit.setRooms([live])
    expect((await running).result).toMatchObject({ pieces: 2, gentlePieces: 1 })
    expect(threadsSent()).toEqual([undefined, '2'])
  })

  test('where it is set so, work of low priority is put off, uncharged; work that somebody waits for is not', async () => {
    await open({ deferMs: 60_000 })
    liveKit.setRooms([live])
    const arranged = await t.arrange()
    await expect(t.transcribe(arranged, 'one.wav')).rejects.toMatchObject({ kind: 'snooze', delayMs: 60_000 })
    expect(t.whisper.requests).toEqual([])
    expect((await t.transcribe(arranged, 'one.wav', { priority: 10 })).result).toMatchObject({ gentlePieces: 1 })
  })

  test('rooms that cannot be looked at: it goes on, gently, with a warning', async () => {
    await open()
    liveKit.fail({ times: Infinity, answer: { status: 401, body: 'no' } })
    const { result, logs } = await t.transcribe(await t.arrange(), 'one.wav')
    expect(result).toMatchObject({ segments: 1, gentlePieces: 1 })
    expect(logs).toContainEqual(expect.objectContaining({ level: 'warn', message: 'Rooms cannot be looked at' }))
  })
})
