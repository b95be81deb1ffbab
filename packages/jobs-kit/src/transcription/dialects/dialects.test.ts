import { expect, test } from 'vitest'
import type { Wish } from '../dialect.ts'
import { dialects } from './index.ts'

const wish: Wish = { model: 'm', format: 'verbose_json', language: 'no', names: 'Maren, Ola', before: 'og så', threads: 2 }
const bare: Wish = { model: '', format: 'srt', language: undefined, names: '', before: '', threads: undefined }

test('speaches is sent everything that some version of it knows', () => {
  expect(dialects.speaches.toCall(wish)).toEqual({
    path: 'v1/audio/transcriptions',
    query: {},
    fileField: 'file',
    fields: {
      model: 'm',
      language: 'no',
      response_format: 'verbose_json',
      temperature: '0',
      vad_filter: 'true',
      without_timestamps: 'false',
      'timestamp_granularities[]': 'segment',
      hotwords: 'Maren, Ola',
      prompt: 'og så',
      threads: '2',
    },
  })
  expect(dialects.speaches.toCall(bare).fields).toMatchObject({
    response_format: 'srt',
    'timestamp_granularities[]': undefined,
    threads: undefined,
  })
})

test('OpenAI is sent nothing that it would refuse', () => {
  expect(dialects.openai.toCall(wish).fields).toEqual({
    model: 'm',
    language: 'no',
    response_format: 'verbose_json',
    temperature: '0',
    'timestamp_granularities[]': 'segment',
    prompt: 'Maren, Ola. og så',
  })
})

test('whisper.cpp gets WAV, and is told to find out the language', () => {
  expect(dialects['whisper.cpp'].pieceFormat).toBe('wav')
  expect(dialects['whisper.cpp'].toCall(bare)).toEqual({
    path: 'inference',
    query: {},
    fileField: 'file',
    fields: { response_format: 'srt', temperature: '0', temperature_inc: '0.2', language: 'auto', prompt: '' },
  })
})

test('asr-webservice gets its options in the address', () => {
  expect(dialects['asr-webservice'].toCall(wish)).toEqual({
    path: 'asr',
    query: { task: 'transcribe', encode: 'true', vad_filter: 'true', output: 'json', language: 'no', initial_prompt: 'Maren, Ola. og så' },
    fileField: 'audio_file',
    fields: {},
  })
  expect(dialects['asr-webservice'].toCall(bare).query).toMatchObject({ output: 'srt' })
})
