import { describe, expect, test } from 'vitest'
import { audio, type Form, notAudio, post, recognising, start, transcription } from '../../../../../test/stand-ins/ask.ts'

describe('whisper.cpp', () => {
  const ask = (more: Form = {}) => post('/inference', { file: audio(), ...more })

  test('every format, with its content types', async () => {
    await start('whisper.cpp')
    expect(await ask()).toMatchObject({ type: 'application/json', text: '{"text":" Hei --> du\\n Blåbær\\n Slutt\\n"}' })
    expect(await ask({ response_format: 'text' })).toMatchObject({ type: 'text/html; charset=utf-8' })
    expect(await ask({ response_format: 'srt' })).toMatchObject({
      type: 'application/x-subrip',
      text: expect.stringMatching(/^1\n00:00:00,500 --> 00:00:01,900\n Hei --> du\n\n/),
    })
    expect(await ask({ response_format: 'vtt' })).toMatchObject({ type: 'text/vtt' })
  })

  test('verbose_json: no compression_ratio, a name of the language, no times where none are wanted', async () => {
    await start('whisper.cpp')
    const timed = JSON.parse((await ask({ response_format: 'verbose_json' })).text)
    expect(timed).toMatchObject({ task: 'transcribe', language: 'norwegian', duration: 65.5 })
    expect(timed.segments[0]).toMatchObject({ start: 0.5, end: 1.9, words: [{ word: ' Hei', start: 0.5 }, {}, {}] })
    expect(timed.segments[0]).not.toHaveProperty('compression_ratio')
    const untimed = JSON.parse((await ask({ response_format: 'verbose_json', no_timestamps: 'true' })).text)
    expect(untimed.segments[0]).not.toHaveProperty('start')
  })

  test('segments of 60 characters at most, or as long as asked for', async () => {
    const text = ` ${'blåbær '.repeat(20).trim()}`
    const long = { ...transcription, segments: [{ start: 0, end: 10, text }] }
    await start('whisper.cpp', recognising(long, long))
    const { segments } = JSON.parse((await ask({ response_format: 'verbose_json' })).text)
    expect(segments.map((segment: { text: string }) => segment.text).join('')).toBe(text)
    expect(Math.max(...segments.map((segment: { text: string }) => segment.text.length))).toBeLessThanOrEqual(60)
    expect([segments[0].start, segments.at(-1).end]).toEqual([0, 10])
    expect(JSON.parse((await ask({ response_format: 'verbose_json', max_len: '20' })).text).segments).toHaveLength(10)
  })

  test('errors as its error handler leaves them', async () => {
    const standIn = await start('whisper.cpp', {
      recognizer: { describe: () => '', recognize: async ({ sizeBytes }) => notAudio(sizeBytes) },
    })
    expect(await ask({ file: undefined })).toEqual({ status: 400, type: 'text/plain', text: 'Invalid request' })
    expect(await ask({ file: new File([], 'a.mp3') })).toMatchObject({ status: 400, text: 'Invalid request' })
    expect(await ask()).toMatchObject({ status: 500, text: '{"error":"FFmpeg conversion failed."}' })
    expect(await post('/v1/audio/transcriptions', {})).toMatchObject({ status: 404, text: 'File Not Found (/v1/audio/transcriptions)' })
    expect(await (await fetch(`${standIn.url}/health`)).json()).toEqual({ status: 'ok' })
  })
})
