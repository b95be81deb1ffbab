import { openAsBlob } from 'node:fs'
import { expect, test } from 'vitest'
import { encodeForm } from './form-body.ts'

test('says how long it is, to the byte', async () => {
  for (let round = 0; round < 50; round++) {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('prompt', 'Blåbærsyltetøy "og"\r\nto linjer')
    form.append('timestamp_granularities[]', 'segment')
    form.append('timestamp_granularities[]', 'word')
    form.set('file', await openAsBlob(new URL(import.meta.url), { type: 'audio/flac' }), 'æøå "1".flac')
    form.set('tom', new File([], 'tom.txt'))
    const { stream, bytes, headers } = encodeForm(form)
    let got = 0
    for await (const chunk of stream) got += chunk.length
    expect(bytes).toBe(got)
    expect(headers).toEqual({ 'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/), 'content-length': String(got) })
  }
})
