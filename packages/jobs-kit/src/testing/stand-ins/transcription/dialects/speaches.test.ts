import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { audio, type Form, notAudio, post, recognising, start, transcription } from '../../../../../test/stand-ins/ask.ts'

describe('speaches', () => {
  const path = '/v1/audio/transcriptions'
  const fields = { model: 'whisper-1', without_timestamps: 'false' }
  const ask = (more: Form = {}) => post(path, { file: audio(), ...fields, ...more })

  test('every format, as it writes them', async () => {
    await start('speaches')
    expect(await ask()).toEqual({ status: 200, type: 'application/json', text: '{"text":"Hei --> du Blåbær Slutt"}' })
    expect(await ask({ response_format: 'text' })).toMatchObject({ type: 'text/plain; charset=utf-8', text: 'Hei --> du Blåbær Slutt' })
    expect(await ask({ response_format: 'srt' })).toMatchObject({
      type: 'text/plain; charset=utf-8',
      text:
        '1\n00:00:00,500 --> 00:00:01,900\n Hei --> du\n\n2\n00:00:02,000 --> 00:00:03,000\n Blåbær\n\n' +
        '3\n01:01:01,250 --> 01:01:02,000\n Slutt\n\n',
    })
    expect(await ask({ response_format: 'vtt' })).toMatchObject({
      type: 'text/vtt; charset=utf-8',
      text: expect.stringMatching(/^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.900\n Hei --> du\n\n00:00:02\.000 --> /),
    })
    const verbose = JSON.parse((await ask({ response_format: 'verbose_json' })).text)
    expect(verbose).toMatchObject({ task: 'transcribe', language: 'no', duration: 65.5, words: null })
    expect(verbose.segments[1]).toEqual({
      id: 1,
      seek: 0,
      start: 2,
      end: 3,
      text: ' Blåbær',
      tokens: [],
      temperature: 0,
      avg_logprob: -0.3,
      compression_ratio: 1,
      no_speech_prob: 0,
    })
  })

  test('words only when they are asked for', async () => {
    await start('speaches')
    const { text } = await ask({ response_format: 'verbose_json', 'timestamp_granularities[]': ['word', 'segment'] })
    expect(JSON.parse(text).words).toHaveLength(3)
    expect(await ask({ 'timestamp_granularities[]': 'sentence' })).toMatchObject({ status: 500, text: 'Internal Server Error' })
  })

  test('without without_timestamps=false segments are stretches of up to 30 s', async () => {
    await start('speaches')
    const { text } = await post(path, { file: audio(), model: 'whisper-1', response_format: 'verbose_json' })
    expect(JSON.parse(text).segments).toMatchObject([
      { id: 0, start: 0.5, end: 3, text: ' Hei --> du Blåbær' },
      { id: 1, start: 3_661.25 },
    ])
  })

  test('streamed events have no times and end without text', async () => {
    await start('speaches')
    const { type, text } = await ask({ stream: 'true' })
    expect(type).toBe('text/event-stream; charset=utf-8')
    expect(text.split('\n\n').filter(Boolean).at(-1)).toBe('data: {"type":"transcript.text.done","text":""}')
  })

  test.each([
    ['no file', { file: undefined }, 422, [{ type: 'missing', loc: ['body', 'file'] }]],
    ['no model', { model: undefined }, 422, [{ type: 'missing', loc: ['body', 'model'] }]],
    ['an unknown format', { response_format: 'xml' }, 422, [{ type: 'enum', loc: ['body', 'response_format'], input: 'xml' }]],
    ['a model that is not installed', { model: 'tiny' }, 404, expect.stringContaining("Model 'tiny' is not installed")],
  ])('refuses %s in FastAPI’s words', async (_name, more, status, detail) => {
    await start('speaches')
    const answer = await ask(more)
    expect(answer).toMatchObject({ status, type: 'application/json' })
    expect(JSON.parse(answer.text)).toMatchObject({ detail })
  })

  test('a body that is no form, and one that breaks off', async () => {
    const standIn = await start('speaches')
    const none = await fetch(`${standIn.url}${path}`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
    expect(none.status).toBe(422)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const broken = await fetch(`${standIn.url}${path}`, {
      method: 'POST',
      body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
      headers,
    })
    expect([broken.status, await broken.json()]).toEqual([400, { detail: 'There was an error parsing the body' }])
    expect(standIn.requests[1]?.formError).toMatch(/ends before/)
  })

  test('knows bokmål as no, not as nb', async () => {
    await start('speaches')
    expect(await ask({ language: 'no' })).toMatchObject({ status: 200 })
    expect(await ask({ language: 'nb' })).toMatchObject({ status: 500, text: 'Internal Server Error' })
  })

  test('silence: an empty transcript up to 30 s, a 500 above', async () => {
    await start(
      'speaches',
      recognising({ ...transcription, segments: [], duration: 30 }, { ...transcription, segments: [], duration: 30.1 }),
    )
    expect(await ask({ response_format: 'srt' })).toMatchObject({ status: 200, text: '' })
    expect(await ask({ response_format: 'srt' })).toMatchObject({ status: 500, text: 'Internal Server Error' })
  })

  test('empty and undecodable audio', async () => {
    await start('speaches', { recognizer: { describe: () => '', recognize: async ({ sizeBytes }) => notAudio(sizeBytes) } })
    expect(await ask({ file: new File([], 'a.mp3') })).toMatchObject({ status: 400, text: expect.stringContaining('likely empty') })
    expect(await ask()).toMatchObject({ status: 415, text: expect.stringContaining('file type is not supported') })
  })

  test('a key, where one is set; health needs none', async () => {
    const standIn = await start('speaches', { apiKey: 'k' })
    expect(await ask()).toMatchObject({ status: 403, text: '{"detail":"Not authenticated"}' })
    expect(await post(path, { file: audio(), ...fields }, 'wrong')).toMatchObject({ status: 403, text: '{"detail":"Forbidden"}' })
    expect(await post(path, { file: audio(), ...fields }, 'k')).toMatchObject({ status: 200 })
    expect(await (await fetch(`${standIn.url}/health`)).json()).toEqual({ message: 'OK' })
  })

  test('the log holds what was uploaded', async () => {
    const standIn = await start('speaches')
    await ask({ prompt: 'æøå', vad_filter: 'true', hotwords: 'Kari' })
    const { form } = await standIn.received(1)
    expect(Object.fromEntries(form?.fields ?? [])).toEqual({
      model: ['whisper-1'],
      without_timestamps: ['false'],
      prompt: ['æøå'],
      vad_filter: ['true'],
      hotwords: ['Kari'],
    })
    const sha256 = createHash('sha256').update('lyd').digest('hex')
    expect(form?.files.get('file')).toMatchObject({ name: 'blåbær.mp3', contentType: 'audio/mpeg', sizeBytes: 3, sha256 })
  })
})
