import { expect, test } from 'vitest'
import { judgeName } from './secret-names.ts'

test.each([
  'password',
  'userPassword',
  'PGPASSWORD',
  'db-pwd',
  'userPwd',
  'client_secret',
  'apiKey',
  'X-API-Key',
  'AWS_SECRET_ACCESS_KEY',
  'Authorization',
  'setCookie',
  'DATABASE_URL',
  '--password',
])('%s names a secret for sure', (name) => {
  expect(judgeName(name)).toBe('strong')
})

test.each(['token', 'accessToken', 'CSRF-Token', 'session', 'sessionId', 'SENTRY_DSN', 'basic_auth', 'jwt', 'pin'])(
  '%s names one where it is text',
  (name) => {
    expect(judgeName(name)).toBe('weak')
  },
)

test.each(['author', 'authority', 'secretary', 'tokenizer', 'passenger', 'sessions', 'spin', 'key', 'keyPoints', 'title', 'url', '', '…'])(
  '%s names none',
  (name) => {
    expect(judgeName(name)).toBeUndefined()
  },
)
