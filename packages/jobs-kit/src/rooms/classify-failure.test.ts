import { expect, test } from 'vitest'
import { UpstreamError } from '../http/upstream-error.ts'
import { classifyFailure } from './classify-failure.ts'

const failed = (code: string, details: { status?: number; networkCode?: string } = {}) =>
  new UpstreamError(code, 'm', { service: 'livekit', method: 'POST', url: 'http://livekit', retryable: true, ...details })

test.each([
  ['nothing listens', failed('X', { networkCode: 'ECONNREFUSED' }), 'refused'],
  ['no such host', failed('X', { networkCode: 'ENOTFOUND' }), 'refused'],
  ['the name server does not answer', failed('X', { networkCode: 'EAI_AGAIN' }), 'silent'],
  ['the connection breaks off', failed('X', { networkCode: 'ECONNRESET' }), 'silent'],
  ['not in time', failed('UPSTREAM_TIMEOUT'), 'silent'],
  ['a page', failed('UPSTREAM_BODY_INVALID'), 'silent'],
  ['500', failed('X', { status: 500 }), 'silent'],
  ['503', failed('X', { status: 503 }), 'silent'],
  ['429', failed('X', { status: 429 }), 'silent'],
  ['401', failed('X', { status: 401 }), 'misconfigured'],
  ['403', failed('X', { status: 403 }), 'misconfigured'],
  ['404', failed('X', { status: 404 }), 'misconfigured'],
  ['a redirect', failed('X', { status: 301 }), 'misconfigured'],
  ['a key that cannot be sent', failed('UPSTREAM_CALL_INVALID'), 'misconfigured'],
  ['something else', new TypeError('oops'), 'silent'],
])('%s', (_name, error, failure) => {
  expect(classifyFailure(error)).toBe(failure)
})
