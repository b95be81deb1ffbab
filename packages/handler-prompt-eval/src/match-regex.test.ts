import { expect, test } from 'vitest'
import { matchRegex } from './match-regex.ts'

test.each([
  ['^Vedtak: \\d+', 'Vedtak: 12', true],
  ['(?i:VEDTAK)', 'vedtak', true],
  ['æ|ø', 'Åse', false],
])('%s in %s: %s', (pattern, text, found) => expect(matchRegex(pattern, text)).toBe(found))

test.each([
  ['^(a+)+$', `${'a'.repeat(40)}!`],
  ['(.*)*(.*)*x', 'a'.repeat(40_000)],
  ['(?:a{0,1000}){0,1000}b', 'a'.repeat(1_000)],
  [`${'(a?){50}'.repeat(50)}x`, 'a'.repeat(3_000)],
  ['(?:(?:(?:(?:a{99}){99}){99}){99}){99}', 'a'],
])('%s cannot hold the worker', (pattern, text) => {
  const before = process.cpuUsage()
  expect(matchRegex(pattern, text)).not.toBe(true)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
})

test('nothing of the process is to be had where the pattern runs', () => {
  expect(matchRegex('x', 'x')).toBe(true)
  expect(matchRegex('[', 'x')).toBeUndefined()
})
