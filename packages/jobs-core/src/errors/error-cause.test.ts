import { describe, expect, test } from 'vitest'
import { errorCause } from './error-cause.ts'

const cause = (message: string, code: string | null = null, stack: string | null = null) => errorCause({ code, message, stack })

describe('errors have the same cause', () => {
  test.each([
    ['gateway answered 503 after 1204 ms.', 'gateway answered 503 after 17.5 ms.'],
    ['There is no file "ep001.mp3".', 'There is no file "episoder/ep 2.mp3".'],
    ['Node 01900000-0000-7000-8000-000000000001 is gone', 'Node 0198f1c2-aaaa-7bbb-8ccc-0123456789ab is gone'],
    ['GET https://a.example/x?y=1 failed', 'GET http://b.example:8080/z failed'],
    ['ENOENT: no such file /var/media/a.mp3', 'ENOENT: no such file /srv/b/c/d.wav'],
    ['digest 9f86d081884c7d65 differs', 'digest 0123456789abcdef differs'],
  ])('when only details differ: %s', (one, other) => {
    expect(cause(one)).toBe(cause(other))
  })

  test('when a new version has other line numbers and another folder', () => {
    const stack = (file: string, line: number) => `Error: no\n    at readAudio (file://${file}:${line}:7)\n    at async run (${file}:1:1)`
    expect(cause('no', null, stack('/a/handler.ts', 3))).toBe(cause('no', null, stack('/b/c/handler.ts', 99)))
  })
})

describe('errors have another cause', () => {
  test.each([
    ['another word', ['connection refused'], ['connection reset']],
    ['another code', ['failed', 'A'], ['failed', 'B']],
    ['another place', ['no', null, 'Error\n    at readAudio (/a.ts:1:1)'], ['no', null, 'Error\n    at sendAudio (/a.ts:1:1)']],
  ] as const)('with %s', (_what, one, other) => {
    expect(cause(...(one as [string]))).not.toBe(cause(...(other as [string])))
  })
})

test('a long message costs little, and the cause stays short', () => {
  expect(cause('a/'.repeat(1_000_000), null, 'at x\n'.repeat(100_000)).length).toBeLessThanOrEqual(500)
})
