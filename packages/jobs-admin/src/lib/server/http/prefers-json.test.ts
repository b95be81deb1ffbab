import { expect, test } from 'vitest'
import { prefersJson } from './prefers-json.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

test.each([
  ['application/json', true],
  ['application/json, text/plain, */*', true],
  ['application/json;q=0.9, */*;q=0.1', true],
  ['application/json, text/html', true],
  ['text/html, application/json', false],
  ['text/html;q=0.5, application/json;q=0.6', true],
  ['application/json;q=0, */*', false],
  ['APPLICATION/JSON; q=1.0', true],
  [browser, false],
  ['*/*', false],
  ['text/event-stream', false],
  ['', false],
  [null, false],
])('Accept: %s: JSON %s', (accept, expected) => {
  expect(prefersJson(accept)).toBe(expected)
})
