import { expect, test } from 'vitest'
import { toWhisperLanguage } from './language.ts'

test.each([
  ['nb', 'no'],
  ['nb-NO', 'no'],
  ['no', 'no'],
  ['nn', 'nn'],
  ['nn-NO', 'nn'],
  ['en-GB', 'en'],
  ['EN', 'en'],
  ['nno', 'nn'],
  ['sma', undefined],
  [undefined, undefined],
])('%s is %s to whisper', (tag, language) => {
  expect(toWhisperLanguage(tag)).toBe(language)
})
