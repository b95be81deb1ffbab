import { describe, expect, test } from 'vitest'
import { audio, type Form, post, start } from '../../../../../test/stand-ins/ask.ts'

describe('OpenAI', () => {
  const ask = (more: Form = {}) => post('/v1/audio/transcriptions', { file: audio(), model: 'whisper-1', ...more }, 'key')
  const error = (param: string | null, code: string | null = null) => ({
    error: { message: expect.any(String), type: 'invalid_request_error', param, code },
  })

  test('verbose_json: the language is a name, segments are absent with words alone', async () => {
    await start('openai')
    const both = JSON.parse((await ask({ response_format: 'verbose_json' })).text)
    expect(both).toMatchObject({ task: 'transcribe', language: 'norwegian', usage: { type: 'duration', seconds: 66 } })
    expect(both.segments).toHaveLength(3)
    const words = JSON.parse((await ask({ response_format: 'verbose_json', 'timestamp_granularities[]': 'word' })).text)
    expect(words).not.toHaveProperty('segments')
    expect(words.words[0]).toEqual({ word: 'Hei', start: 0.5, end: 1 })
  })

  test('the other formats', async () => {
    await start('openai')
    expect(await ask()).toMatchObject({ text: '{"text":"Hei --> du Blåbær Slutt","usage":{"type":"duration","seconds":66}}' })
    expect(await ask({ response_format: 'text' })).toMatchObject({ text: 'Hei --> du Blåbær Slutt\n' })
    expect((await ask({ response_format: 'srt' })).text).toMatch(/^1\n00:00:00,500 --> 00:00:01,900\nHei --> du\n\n/)
    expect((await ask({ response_format: 'vtt' })).text).toMatch(/^WEBVTT\n\n00:00:00\.500 /)
  })

  test.each([
    [
      'srt of a model that has none',
      { model: 'gpt-4o-transcribe', response_format: 'srt' },
      400,
      error('response_format', 'unsupported_value'),
    ],
    ['granularities with json', { 'timestamp_granularities[]': 'word' }, 400, error('timestamp_granularities')],
    ['nb', { language: 'nb' }, 400, error('language', 'unsupported_language')],
    ['an unknown model', { model: 'whisper-2' }, 404, error('model', 'model_not_found')],
    ['no file', { file: undefined }, 400, error('file')],
    ['no model', { model: undefined }, 400, error('model')],
    ['long audio for diarization unless chunked', { model: 'gpt-4o-transcribe-diarize' }, 400, error('chunking_strategy')],
    ['more than 25 MiB', { file: new File([Buffer.alloc(26_214_401)], 'a.wav') }, 413, error(null)],
  ])('refuses %s', async (_name, more, status, body) => {
    await start('openai')
    const answer = await ask(more)
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, body])
  })

  test('diarized_json names speakers', async () => {
    await start('openai')
    const { text } = await ask({ model: 'gpt-4o-transcribe-diarize', response_format: 'diarized_json', chunking_strategy: 'auto' })
    expect(JSON.parse(text).segments[0]).toEqual({
      type: 'transcript.text.segment',
      id: 'seg_0',
      start: 0.5,
      end: 1.9,
      text: ' Hei --> du',
      speaker: 'A',
    })
  })

  test('asks for a key', async () => {
    await start('openai', { apiKey: 'right' })
    expect(await ask()).toMatchObject({ status: 401, text: expect.stringContaining('invalid_api_key') })
    expect(await post('/v1/audio/transcriptions', { file: audio() })).toMatchObject({ status: 401 })
  })
})
