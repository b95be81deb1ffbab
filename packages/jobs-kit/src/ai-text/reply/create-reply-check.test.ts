import { expect, test } from 'vitest'
import { createReplyCheck } from './create-reply-check.ts'

test('what is not kept is counted by kind, and links that the source does not have go', () => {
  const check = createReplyCheck('Les https://a.example/x.')
  expect(check.keep('points', [1, 2, 3], (n) => (n === 2 ? undefined : n * 10))).toEqual([10, 30])
  check.drop('owners')
  expect(check.dropped).toEqual({ points: 1, owners: 1 })
  expect(check.told(' [les](https://a.example/x) ')).toBe('[les](https://a.example/x)')
  expect(check.told('[her](https://b.example)')).toBe('her')
  expect([check.told('https://b.example'), check.told(' \n')]).toEqual([undefined, undefined])
})
