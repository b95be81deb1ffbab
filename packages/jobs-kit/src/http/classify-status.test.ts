import { expect, test } from 'vitest'
import { classifyStatus } from './classify-status.ts'

const byCode: Record<string, { statuses: number[]; retryable: boolean; asksToWait?: boolean }> = {
  UPSTREAM_UNAVAILABLE: { statuses: [408, 421, 425, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524, 529, 599], retryable: true },
  UPSTREAM_RATE_LIMITED: { statuses: [429, 503], retryable: true, asksToWait: true },
  UPSTREAM_UNAUTHORIZED: { statuses: [401, 403], retryable: false },
  UPSTREAM_NOT_FOUND: { statuses: [404], retryable: false },
  UPSTREAM_TOO_LARGE: { statuses: [413], retryable: false },
  UPSTREAM_REJECTED: { statuses: [400, 402, 405, 406, 409, 410, 415, 418, 422, 423, 451, 501, 505], retryable: false },
  UPSTREAM_REDIRECTED: { statuses: [301, 302, 303, 307, 308], retryable: false },
}

for (const [code, { statuses, retryable, asksToWait = false }] of Object.entries(byCode)) {
  test.each(statuses)(`%i means ${code}`, (status) => {
    expect(classifyStatus(status, asksToWait)).toMatchObject({ code, retryable })
  })
}

test('429 needs no Retry-After to be what it is', () => {
  expect(classifyStatus(429, false).code).toBe('UPSTREAM_RATE_LIMITED')
})
