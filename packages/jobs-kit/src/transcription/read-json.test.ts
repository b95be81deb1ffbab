import { expect, test } from 'vitest'
import { readJson } from './read-json.ts'

const strict = (text: string) => ({ text, json: () => JSON.parse(text) as unknown })

test.each([
  ['{"a":NaN,"b":[Infinity,-Infinity, NaN]}', { a: null, b: [null, null, null] }],
  ['{"text":"NaN, -Infinity: \\"NaN\\" \\\\","a":NaN}', { text: 'NaN, -Infinity: "NaN" \\', a: null }],
  ['{"a":1}', { a: 1 }],
])('what Python writes as JSON is read, texts untouched: %s', (text, value) => {
  expect(readJson(strict(text))).toEqual(value)
})

test.each(['{"a":NaN', 'NaNa', '<p>NaN</p>', '"NaN', ''])('what is no JSON either way is refused as before: %s', (text) => {
  expect(() => readJson(strict(text))).toThrow(SyntaxError)
})

test('a long answer that broke off within a text costs no more than any other', () => {
  const begun = performance.now()
  expect(() => readJson(strict(`{"a":NaN,"text":"${'\\"a'.repeat(1_000_000)}`))).toThrow(SyntaxError)
  expect(performance.now() - begun).toBeLessThan(5_000)
})
