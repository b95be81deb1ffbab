import { expect, test } from 'vitest'
import { isBlank } from './is-blank.ts'

test.each(['', ' ', '\t\n\u00a0\u3000', '\u200b\u00ad\u2060', '\u3164\u115f', '\u2800', '…', '- ', '"', '.?!'])(
  'says nothing: %j',
  (text) => {
    expect(isBlank(text)).toBe(true)
  },
)

test.each(['a', ' Å ', '1', '…og så?', '€', '🎶', '\u200bx'])('says something: %j', (text) => {
  expect(isBlank(text)).toBe(false)
})
