import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = Date.parse('1994-11-06T08:49:07Z')

const cases: [Record<string, string>, number | undefined][] = [
  [{}, undefined],
  [{ 'retry-after': '90' }, 90_000],
  [{ 'retry-after': ' 1.5 ' }, 1_500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': '999999999' }, 86_400_000],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '10 seconds' }, undefined],
  [{ 'retry-after-ms': '1250', 'retry-after': '90' }, 1_250],
  [{ 'retry-after-ms': 'x', 'retry-after': '2' }, 2_000],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 30_000],
  [{ 'retry-after': 'Sunday, 06-Nov-94 08:49:37 GMT' }, 30_000],
  [{ 'retry-after': 'Sun Nov  6 08:49:37 1994' }, 30_000],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:00:00 GMT' }, 0],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:49:27 GMT' }, 10_000],
  [{ 'retry-after': 'Sun, 99 Foo 1994' }, undefined],
]

test.each(cases)('%j asks for %j ms', (headers, ms) => {
  expect(readRetryAfter(headers, now)).toBe(ms)
})
