import { describe, expect, test } from 'vitest'
import { audio, type Form, formData, post, start } from '../../../../../test/stand-ins/ask.ts'

describe('whisper-asr-webservice', () => {
  const ask = (query: string, more: Form = {}) => post(`/asr?${query}`, { audio_file: audio(), ...more })

  test('everything is text/plain, options stand in the query', async () => {
    const standIn = await start('asr-webservice')
    const answer = await fetch(`${standIn.url}/asr?output=srt&language=no`, { method: 'POST', body: formData({ audio_file: audio() }) })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'asr-engine': 'faster_whisper',
      'content-disposition': 'attachment; filename="bl%C3%A5b%C3%A6r.mp3.srt"',
    })
    expect(await answer.text()).toMatch(/^1\n00:00:00,500 --> 00:00:01,900\nHei -> du\n\n/)
    expect((await ask('output=vtt')).text).toMatch(/^WEBVTT\n\n00:00\.500 --> 00:01\.900\nHei -> du\n\n[\s\S]*\n01:01:01\.250 --> /)
    expect((await ask('output=tsv')).text).toMatch(/^start\tend\ttext\n500\t1900\tHei --> du\n/)
    expect(JSON.parse((await ask('output=json')).text)).toMatchObject({ language: 'no', segments: [{ start: 0.5 }, {}, {}] })
    expect((await ask('')).text).toBe('Hei --> du\nBlåbær\nSlutt\n')
  })

  test('the field is audio_file', async () => {
    await start('asr-webservice')
    const answer = await post('/asr?output=srt', { file: audio() })
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([422, { detail: [{ type: 'missing', loc: ['body', 'audio_file'] }] }])
  })

  test('what it cannot do is a plain 500', async () => {
    await start('asr-webservice', { recognizer: { describe: () => '', recognize: async () => ({ outcome: 'undecodable' }) } })
    expect(await ask('output=srt')).toMatchObject({ status: 500, text: 'Internal Server Error' })
    expect(await ask('output=srt&language=nb')).toMatchObject({ status: 500, text: 'Internal Server Error' })
  })
})
