import { expect, test } from 'vitest'
import { readErrorDetails } from './read-error-details.ts'

test.each([
  ['{"error":{"message":"x","type":"throttling_error","param":null,"code":"429"}}', 'throttling_error'],
  ['{"error":{"message":"x","type":"invalid_request_error","code":"context_length_exceeded"}}', 'context_length_exceeded'],
  ['{"error":{"code":400,"message":"x","metadata":{"error_type":"string_too_long"}}}', 'string_too_long'],
  ['{"error":{"type":"overloaded_error"}}', 'overloaded_error'],
  ['{"error":"no"}', undefined],
  ['{"detail":"no"}', undefined],
  ['{"half', undefined],
  ['Internal Server Error', undefined],
  ['{"error":null}', undefined],
])('%s is %s', (body, type) => {
  expect(readErrorDetails(body).type).toBe(type)
})

test.each([
  ['{"error":{"availability":{"code":"provider_down","retryable":false}}}', { retryable: false }],
  ['{"error":{"availability":{"retryable":true,"retry_after":12.5}}}', { retryable: true, retryAfterMs: 12_500 }],
  ['{"error":{"availability":{"retryable":"yes","retry_after":-1}}}', {}],
  ['{"error":{"availability":{"retry_after":9999999}}}', { retryAfterMs: 86_400_000 }],
  ['{"error":{"availability":null}}', {}],
])('%s says when it is of use again', (body, details) => {
  const { type, ...rest } = readErrorDetails(body)
  expect(type).toBeUndefined()
  expect(rest).toEqual(details)
})
