import { expect, test } from 'vitest'
import { readErrorType } from './read-error-type.ts'

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
  expect(readErrorType(body)).toBe(type)
})
