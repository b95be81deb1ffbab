import { expect, test } from 'vitest'
import { toLanguageTag } from './language-tag.ts'

test.each([
  ['no', 'nb'],
  ['nn', 'nn'],
  ['English', 'en'],
  ['norwegian', 'nb'],
  ['nynorsk', 'nn'],
  ['klingon', null],
  ['', null],
  [null, null],
])('%s is %s', (named, tag) => {
  expect(toLanguageTag(named)).toBe(tag)
})
