import { expect, test } from 'vitest'
import { maskUrl } from './mask-url.ts'

test.each([
  ['http://whisper:8000/v1/audio', 'http://whisper:8000/v1/audio'],
  ['http://user:hemmelig@whisper:8000/asr?language=no&output=srt', 'http://whisper:8000/asr?language=no&output=srt'],
  ['https://x.example/v1?api_key=abc&sig=def&a=1#top', 'https://x.example/v1?api_key=***&sig=***&a=1'],
  ['https://x.example/v1?Token=abc&Token=def', 'https://x.example/v1?Token=***'],
])('%s is shown as %s', (url, shown) => {
  expect(decodeURIComponent(maskUrl(new URL(url)))).toBe(shown)
})

test('a long address is cut', () => {
  expect(maskUrl(new URL(`http://x/${'a'.repeat(5_000)}`)).length).toBeLessThanOrEqual(501)
})
