import { ConfigurationError, PermanentError, QueueError, SnoozeError, TimeoutError } from '@sidelinja/jobs-core'
import { describe, expect, test } from 'vitest'
import { UpstreamError } from '../http/upstream-error.ts'
import { refusedCall } from '../http/upstream-errors.ts'
import { type BreakerVerdict, breakerVerdict } from './breaker-verdict.ts'
import { ServiceDownError } from './service-down-error.ts'

const call = { service: 'captions', method: 'POST', url: new URL('http://captions.test/v1'), timeoutMs: 1_000 }
const answered = (status: number, headers = {}) => refusedCall(call, { status, headers, text: '' })
const failed = (code: string, retryable: boolean) =>
  new UpstreamError(code, 'x', { service: 'captions', method: 'POST', url: 'http://captions.test/', retryable })
const coded = (code: unknown) => Object.assign(new Error('x'), { code })

describe('breakerVerdict', () => {
  test.each<[BreakerVerdict, number[]]>([
    ['fault', [401, 403, 407]],
    ['failure', [408, 421, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 599]],
    ['success', [400, 402, 404, 405, 409, 410, 413, 415, 422, 451]],
    ['ignore', [301, 302, 307, 308, 429, 501, 505]],
  ])('%s: what the HTTP client throws for the answers %j', (verdict, statuses) => {
    for (const status of statuses) expect([status, breakerVerdict(answered(status))]).toEqual([status, verdict])
    // As any other client's error would look.
    for (const status of statuses.filter((each) => each < 500)) expect([status, breakerVerdict({ status })]).toEqual([status, verdict])
  })

  test('an answer that says when to come back is no trouble of the service', () => {
    expect(breakerVerdict(answered(503, { 'retry-after': '30' }))).toBe('ignore')
    expect(breakerVerdict(answered(500, { 'retry-after': '30' }))).toBe('failure')
  })

  test.each<[BreakerVerdict, string, unknown]>([
    ['failure', 'no answer', failed('UPSTREAM_UNREACHABLE', true)],
    ['failure', 'a time limit', failed('UPSTREAM_TIMEOUT', true)],
    ['failure', 'a page of a proxy in place of JSON', failed('UPSTREAM_BODY_INVALID', true)],
    ['ignore', 'a call that could not be sent', failed('UPSTREAM_CALL_INVALID', false)],
    ['ignore', 'an answer that is too large', failed('UPSTREAM_ANSWER_TOO_LARGE', false)],
    ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT', 'CERT_HAS_EXPIRED'].map(
      (code): [BreakerVerdict, string, unknown] => ['failure', code, coded(code)],
    ),
    ...['ENOENT', 'EACCES', 'ABORT_ERR', '23505', 'LOG_MISSING', 20, undefined].map((code): [BreakerVerdict, string, unknown] => [
      'ignore',
      `the code ${code}`,
      coded(code),
    ]),
    ['ignore', 'an abort', AbortSignal.abort().reason],
    ['ignore', "the job's timeout", new TimeoutError('JOB_TIMEOUT', 'x')],
    ['ignore', 'a worker that stops', new QueueError('WORKER_STOPPING', 'x')],
    ['ignore', 'a snooze', new SnoozeError(1_000, 'x')],
    ['ignore', 'another service that is down', new ServiceDownError('gateway', 1_000, 'x')],
    ['ignore', 'bad input', new PermanentError('AUDIO_EMPTY', 'x')],
    ['ignore', 'a wrong set-up', new ConfigurationError('FILE_ROOT_UNSET', 'x')],
    ['ignore', 'a slip of the pen', new TypeError('x is not a function')],
    ...[undefined, null, 'ECONNREFUSED', 503, {}, { status: '503' }, { code: {} }].map((thrown): [BreakerVerdict, string, unknown] => [
      'ignore',
      `thrown: ${JSON.stringify(thrown)}`,
      thrown,
    ]),
  ])('%s: %s', (verdict, _what, error) => expect(breakerVerdict(error)).toBe(verdict))

  test('looks at nothing that bites', () => {
    const bites = new Proxy(
      {},
      {
        get: () => {
          throw new Error('bitten')
        },
      },
    )
    expect(breakerVerdict(bites)).toBe('ignore')
  })
})
