import { expect, test } from 'vitest'
import { deepestNesting, isTooDeep } from './nesting.ts'

function nested(levels: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { below: value }
  return value
}

test.each([
  [0, false],
  [deepestNesting, false],
  [deepestNesting + 1, true],
  [200_000, true],
])('%i levels: too deep %s', (levels, tooDeep) => {
  expect(isTooDeep(nested(levels))).toBe(tooDeep)
})
