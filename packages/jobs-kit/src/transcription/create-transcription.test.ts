import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AudioPiece } from '../audio/cut.ts'
import type { Breaker } from '../breaker/create-breaker.ts'
import type { Decision } from '../governor/create-governor.ts'
import { createHttpClient } from '../http/create-http-client.ts'
import {
  recordedRecognizer,
  startTranscriptionStandIn,
  type TranscriptionStandIn,
  type TranscriptionStandInOptions,
} from '../testing/index.ts'
import { createTranscription } from './create-transcription.ts'
import type { PieceOptions, TranscriptFormat, TranscriptionDialect } from './transcription.ts'

const recorded = {
  ...{ language: 'no', duration: 3 },
  segments: [
    { start: 0.5, end: 1.25, text: ' God morgen', avg_logprob: -0.25, compression_ratio: 1.1, no_speech_prob: 0.01 },
    { start: 1.25, end: 3, text: ' Rødgrøt, Øystein', avg_logprob: -0.5, compression_ratio: 1.2, no_speech_prob: 0.02 },
  ],
}
const openBreaker: Breaker = { service: 'transcription', call: (fn) => fn() }
const at = new Date('2026-11-30T12:00:00Z')

let folder: string
let piece: AudioPiece
let whisper: TranscriptionStandIn
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcription-'))
  // The stand-in takes anything for audio that is no text.
  await writeFile(join(folder, 'piece'), Buffer.from([0, 1, 2, 3]))
  piece = { path: join(folder, 'piece'), sizeBytes: 4, durationMs: 3_000, [Symbol.asyncDispose]: async () => {} }
})
afterAll(() => rm(folder, { recursive: true }))

const start = async (options: TranscriptionStandInOptions = {}) => {
  whisper = await startTranscriptionStandIn({ recognizer: recordedRecognizer(recorded), ...options })
}
const ask = (
  config: { dialect?: TranscriptionDialect; format?: TranscriptFormat; model?: string } = {},
  options: Partial<PieceOptions> = {},
) =>
  createTranscription({
    ...{ config: { url: new URL(whisper.url), apiKey: 'hemmelig', ...config }, client: createHttpClient({ service: 'transcription' }) },
    ...{ breaker: openBreaker, gentleBreaker: openBreaker, now: async () => at },
    governor: { decide: async () => decision },
  }).transcribe(piece, {
    ...{ language: 'nb', names: ['Øystein', 'Maren'], before: 'og så', job: { priority: 5, createdAt: at } },
    ...{ signal: new AbortController().signal, ...options },
  })

const full: Decision = {
  ...{ mode: 'full', reason: 'no room', warning: undefined, deferMs: undefined, url: undefined, threads: undefined },
  [Symbol.dispose]: () => {},
}
let decision: Decision
beforeEach(() => {
  decision = full
})
afterEach(() => whisper.close())

describe.each(['speaches', 'openai', 'whisper.cpp', 'asr-webservice'] as const)('%s', (dialect) => {
  test.each(['verbose_json', 'srt'] as const)('is understood as %s', async (format) => {
    await start({ dialect })
    const { segments } = await ask({ dialect, format })
    expect(segments.map(({ startMs, endMs, text }) => [startMs, endMs, text.trim()])).toEqual([
      [500, 1_250, 'God morgen'],
      [1_250, 3_000, 'Rødgrøt, Øystein'],
    ])
  })

  test('gets the language in its own words, the names, and what was said before', async () => {
    await start({ dialect })
    await ask({ dialect })
    const [request] = whisper.requests
    const fields = [...(request?.form?.fields.values() ?? [])].flat().join('\n') + decodeURIComponent(String(request?.query ?? ''))
    for (const part of ['no', 'Øystein, Maren', 'og så']) expect(fields.replaceAll('+', ' ')).toContain(part)
    expect(fields).not.toContain('nb')
  })
})

describe('a piece', () => {
  test('has the quality figures where the server gives them', async () => {
    await start()
    const { segments, language, gentle } = await ask()
    expect(segments[1]).toMatchObject({ avgLogprob: -0.5, compressionRatio: 1.2, noSpeechProb: 0.02 })
    expect({ language, gentle }).toEqual({ language: 'no', gentle: null })
  })

  test('goes to the gentle server with its threads while a room is live', async () => {
    await start()
    await using gentleServer = await startTranscriptionStandIn({ recognizer: recordedRecognizer(recorded) })
    decision = { ...full, mode: 'gentle', reason: 'studio is in use', url: new URL(gentleServer.url), threads: 2 }
    expect(await ask()).toMatchObject({ gentle: 'studio is in use' })
    expect(whisper.requests).toEqual([])
    expect(gentleServer.requests[0]?.form?.fields.get('threads')).toEqual(['2'])
  })

  test('comes back later, uncharged, when the governor says so', async () => {
    await start()
    decision = { ...full, mode: 'gentle', reason: 'studio is in use', deferMs: 60_000 }
    await expect(ask()).rejects.toMatchObject({ kind: 'snooze', delayMs: 60_000, message: 'studio is in use' })
    expect(whisper.requests).toEqual([])
  })

  test('with a model that is not there fails for good', async () => {
    await start({ models: ['another'] })
    await expect(ask()).rejects.toMatchObject({ code: 'UPSTREAM_NOT_FOUND', kind: 'permanent' })
  })

  test('figures that are no numbers do not cost the text', async () => {
    await start()
    const body = '{"language":"no","segments":[{"start":0.5,"end":1,"text":" NaN","avg_logprob":NaN,"no_speech_prob":-Infinity}]}'
    whisper.fail({ answer: { status: 200, body, headers: { 'content-type': 'application/json' } } })
    const { segments } = await ask()
    expect(segments).toEqual([{ startMs: 500, endMs: 1_000, text: ' NaN' }])
  })

  test.each([
    ['no JSON', 'not json', { code: 'UPSTREAM_BODY_INVALID', kind: 'transient' }],
    ['JSON that is no transcript', '{"segments":[{"text":7}]}', { code: 'TRANSCRIPT_INVALID', kind: 'permanent' }],
    ['a list', '[]', { code: 'TRANSCRIPT_INVALID', kind: 'permanent' }],
  ])('answered with %s', async (_what, body, error) => {
    await start()
    whisper.fail({ answer: { status: 200, body } })
    await expect(ask()).rejects.toMatchObject(error)
  })

  test.each([
    ['words only', { text: 'Hei der' }, [{ startMs: 0, endMs: 3_000, text: 'Hei der', suspect: ['no_time'] }]],
    ['nothing', { text: '' }, []],
    ['nothing at all', {}, []],
    [
      'segments without times',
      { segments: [{ text: 'a' }, { text: 'b' }] },
      [
        { startMs: 0, endMs: 3_000, suspect: ['no_time'] },
        { startMs: 3_000, endMs: 3_000 },
      ],
    ],
    ['figures that are none', { segments: [{ start: 0, end: 1, text: 'a', avg_logprob: 'x' }] }, [{ text: 'a' }]],
  ])('answered with %s is what there is', async (_what, answer, segments) => {
    await start()
    whisper.fail({ answer: { status: 200, body: JSON.stringify(answer) } })
    expect((await ask()).segments).toMatchObject(segments)
  })
})
