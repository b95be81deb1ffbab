import { expect, test } from 'vitest'
import { problemResponse } from './problem.ts'

test('a problem is application/problem+json with the members of RFC 9457', async () => {
  const answer = problemResponse({ status: 409, code: 'JOB_NOT_RETRYABLE', detail: 'The job runs.' })
  expect(answer.status).toBe(409)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toEqual({
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    code: 'JOB_NOT_RETRYABLE',
    detail: 'The job runs.',
  })
})

test('what a client is to do next stands in headers', () => {
  const { headers } = problemResponse({ status: 405, code: 'X', detail: '.', allow: ['GET', 'HEAD'], retryAfterSeconds: 3 })
  expect(headers.get('allow')).toBe('GET, HEAD')
  expect(headers.get('retry-after')).toBe('3')
})

test('the correlation id is in the body where there is one', async () => {
  expect(await problemResponse({ status: 500, code: 'X', detail: '.', correlationId: 'abc' }).json()).toMatchObject({
    correlation_id: 'abc',
  })
})
