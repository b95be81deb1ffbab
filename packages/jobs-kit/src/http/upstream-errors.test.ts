import { expect, test } from 'vitest'
import { failedCall } from './upstream-errors.ts'

const call = { service: 'captions', method: 'POST', url: new URL('http://captions.test/v1'), timeoutMs: 1_000 }

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:80', 'could not be connected to: connect ECONNREFUSED 192.0.2.1:80'],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND captions.test', 'could not be connected to: getaddrinfo ENOTFOUND captions.test'],
  ['ECONNRESET', 'socket hang up', 'got no whole answer (ECONNRESET): socket hang up'],
  ['', 'the line is dead', 'got no whole answer (no code): the line is dead'],
])('what failed is said once, and the code with it: %s', (code, message, said) => {
  expect(failedCall(call, Object.assign(new Error(message), { code }))).toMatchObject({
    ...{ code: 'UPSTREAM_UNREACHABLE', retryable: true },
    message: `captions: POST http://captions.test/v1 ${said}`,
  })
})
