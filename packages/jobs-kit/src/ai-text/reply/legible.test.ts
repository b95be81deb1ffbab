import { expect, test } from 'vitest'
import { legible, legibleValue } from './legible.ts'

test('takes out what nobody sees, and leaves what everybody does', () => {
  expect(legible('Åse\0 og\u202e Ola\ud800\r\nsa\tja \u{e0041}👩‍🚀')).toBe('Åse og Ola\ufffd\nsa\tja 👩‍🚀')
})

test('in every text of a value', () => {
  expect(legibleValue({ a: ['x\0', 1, null], b: { c: '\u0007y' }, d: true })).toEqual({ a: ['x', 1, null], b: { c: 'y' }, d: true })
})
